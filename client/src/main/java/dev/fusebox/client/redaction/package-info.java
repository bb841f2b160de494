/// Keeps secrets out of what is written for people and programs.
@org.jspecify.annotations.NullMarked
package dev.fusebox.client.redaction;
