/// Everything that a program takes from outside, as one record that is made in `main` and passed down.
@org.jspecify.annotations.NullMarked
module dev.fusebox.world {
    requires static org.jspecify;

    exports dev.fusebox.world;
}
