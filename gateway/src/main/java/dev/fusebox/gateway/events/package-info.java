/// What happens, told in order to whoever wants to know, and never on the threads of calls.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.events;
