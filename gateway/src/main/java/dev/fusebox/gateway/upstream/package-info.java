/// Many servers as one: names, merged lists, and the way from a name to its server.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.upstream;
