/// Finds out what is wrong with servers: [dev.fusebox.gateway.doctor.Diagnostics] examines all of them at the same
/// time, each within its own bounds, and gives findings with cause, evidence and remedy.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.doctor;
