/// The worker program, which runs scripts, each in a context of its own, and exchanges messages with the gateway
/// over its pipes.
@org.jspecify.annotations.NullMarked
package dev.fusebox.worker;
