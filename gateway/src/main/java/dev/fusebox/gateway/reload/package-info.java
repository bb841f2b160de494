/// Live configuration reload: watching the file, computing the difference, and applying it.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.reload;
