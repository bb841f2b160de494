/// Interoperability tests with official clients, servers and the conformance suite.
@org.jspecify.annotations.NullMarked
package dev.fusebox.interop;
