/// One upstream server: its configuration generations, its calls, its lists, and its status. Knows nothing of
/// other servers.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.upstream;
