package dev.fusebox.gateway.arguments;

/// One thing that is wrong with the arguments of a call.
///
/// @param pointer the JSON pointer of the value; empty for the arguments as a whole
/// @param message what is wrong with it
public record ArgumentProblem(String pointer, String message) {
    @Override
    public String toString() {
        return pointer.isEmpty() ? message : pointer + ": " + message;
    }
}
