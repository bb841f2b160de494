/// Simulations of logins whose tokens are refreshed by several processes.
@org.jspecify.annotations.NullMarked
package dev.fusebox.simulation.token;
