/// The composition root of the gateway: assembles a gateway from a configuration, runs it, and ends it.
///
/// A program that embeds a gateway needs [dev.fusebox.gateway.Gateway] with its configuration and its options.
/// The command line uses the same, and the parts below it for commands that serve no client. This package may use
/// all other packages of the gateway; none of them uses it.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway;
