/// Official clients, servers and the conformance suite of the protocol, as strangers to ours.
@org.jspecify.annotations.NullMarked
package dev.fusebox.interop;
