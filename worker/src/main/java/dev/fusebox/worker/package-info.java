/// The program that runs scripts, each in a context of its own, and speaks with whoever started it over its pipes.
@org.jspecify.annotations.NullMarked
package dev.fusebox.worker;
