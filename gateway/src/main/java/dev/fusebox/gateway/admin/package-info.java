/// What people and programs see of a running gateway, and what they may do to it: over HTTP beside the protocol, and
/// over a socket of its owner's.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.admin;
