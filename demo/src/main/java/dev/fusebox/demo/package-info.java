/// The story that `fusebox demo` plays: calls to a gateway whose servers crash and recover, then the states of one
/// circuit breaker.
package dev.fusebox.demo;
