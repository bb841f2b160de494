/// The platform: everything that a program takes from outside, as one record that is made in `main` and passed
/// down.
@org.jspecify.annotations.NullMarked
module dev.fusebox.platform {
    // For signals. An optional requirement would leave the module out when the application is started as a module.
    requires jdk.unsupported;
    requires static org.jspecify;

    exports dev.fusebox.platform;
    exports dev.fusebox.platform.files;
}
