/// Everything that a program takes from outside, as one record that is made in `main` and passed down.
@org.jspecify.annotations.NullMarked
module dev.fusebox.platform {
    // Signals; without it the module is not even there when the application is started as one.
    requires jdk.unsupported;
    requires static org.jspecify;

    exports dev.fusebox.platform;
}
