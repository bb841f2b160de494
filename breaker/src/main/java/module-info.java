/** A circuit breaker and its companions. Needs nothing but the Java platform at run time. */
@org.jspecify.annotations.NullMarked
module dev.fusebox.breaker {
    requires static org.jspecify;

    exports dev.fusebox.breaker;
}
