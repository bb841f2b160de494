/// The story that `fusebox demo` plays, and the servers in it. Knows neither the gateway nor the command line.
@org.jspecify.annotations.NullMarked
module dev.fusebox.demo {
    requires dev.fusebox.breaker;
    requires transitive dev.fusebox.platform;
    requires transitive dev.fusebox.protocol;
    requires static org.jspecify;

    exports dev.fusebox.demo;
}
