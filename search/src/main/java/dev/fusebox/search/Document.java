package dev.fusebox.search;

/// Something that can be found. Immutable.
///
/// @param name what it is called, in one word or several
/// @param group what it belongs to
/// @param description what it is for, in sentences
/// @param details names and sentences that say more, and weigh less
public record Document(String name, String group, String description, String details) {}
