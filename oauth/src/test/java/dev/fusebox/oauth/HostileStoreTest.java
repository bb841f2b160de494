package dev.fusebox.oauth;

import static dev.fusebox.client.ErrorId.TOKEN_FILE_UNSAFE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fusebox.fixtures.oauth.FaultPoint;
import dev.fusebox.oauth.protocol.OAuthException;
import dev.fusebox.oauth.token.FileTokenStore;
import dev.fusebox.oauth.token.TokenKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Token files that are not safe: nobody is asked for a login that could not be stored, no client is registered for
/// it, and no token in such a file is used.
@Execution(ExecutionMode.CONCURRENT)
class HostileStoreTest {
    @TempDir
    private Path folder;

    /// One row.
    ///
    /// @param fragment of the message
    record Unsafe(String name, Change change, String fragment) {
        @Override
        public String toString() {
            return name;
        }
    }

    /// What happened to a stored login.
    @FunctionalInterface
    interface Change {
        void to(HostileWorld world, Path tokenFile) throws Exception;
    }

    @ParameterizedTest
    @MethodSource
    void unsafe_token_file_ends_the_login_before_it_begins(Unsafe row) throws Exception {
        try (HostileWorld world = new HostileWorld(folder);
                Logins logins = world.logins()) {
            logins.tokenStore().write(world.stored(world.key()));
            Path file = world.folder.resolve(world.records().keySet().iterator().next());
            row.change().to(world, file);
            assertThatExceptionOfType(OAuthException.class)
                    .isThrownBy(() -> world.login(logins))
                    .satisfies(failed -> assertThat(failed.id()).isEqualTo(TOKEN_FILE_UNSAFE))
                    .satisfies(failed -> assertThat(failed.message())
                            .contains(row.fragment(), "cannot store the login")
                            .doesNotContain(HostileWorld.OLD_SECRETS));
            assertThat(world.browser.opened).isEmpty();
            assertThat(world.issuer.observed().registrations()).isZero();
            assertThat(world.issuer.observed().requests(FaultPoint.REFRESH)).isEmpty();
            try (ServerLogin login = logins.to(world.settings())) {
                assertThat(login.tokenRecord()).isNull();
            }
        }
    }

    static Stream<Unsafe> unsafe_token_file_ends_the_login_before_it_begins() {
        return Stream.of(
                new Unsafe("symbolic link", HostileStoreTest::linked, "is not a regular file"),
                new Unsafe("named pipe", (world, file) -> pipe(file), "is not a regular file"),
                new Unsafe("folder in its place", HostileStoreTest::folder, "is not a regular file"),
                new Unsafe("readable by the group", (world, file) -> mode(file, "rw-r-----"), "by other users"),
                new Unsafe("writable by all", (world, file) -> mode(file, "rw--w--w-"), "by other users"),
                new Unsafe("of another owner", HostileStoreTest::givenAway, "belongs to"),
                new Unsafe("half", (world, file) -> write(file, "{\"format\":1,\"iss"), "is damaged; delete it"),
                new Unsafe("empty", (world, file) -> write(file, ""), "is damaged; delete it"),
                new Unsafe("array", (world, file) -> write(file, "[]"), "is damaged"),
                new Unsafe("binary", (world, file) -> write(file, "\u0000\u0001\uffff"), "is damaged"),
                new Unsafe("nested", (world, file) -> write(file, "[".repeat(1 << 20)), "is damaged"),
                new Unsafe("later format", HostileStoreTest::later, "written by a later version"),
                new Unsafe("generation is huge", HostileStoreTest::generation, "is damaged"),
                new Unsafe("of another login", HostileStoreTest::renamed, "is the record of another login"),
                new Unsafe("huge", HostileStoreTest::huge, "is longer than"),
                new Unsafe("lock is a pipe", HostileStoreTest::lockPipe, "is not a regular file"),
                new Unsafe("lock is a link", HostileStoreTest::lockLink, "is not a regular file"),
                new Unsafe("store is a file", HostileStoreTest::storeFile, "is not a folder"),
                new Unsafe("store is a link", HostileStoreTest::storeLink, "is not a folder"),
                new Unsafe("store is not writable", HostileStoreTest::storeReadOnly, ""));
    }

    private static void linked(HostileWorld world, Path file) throws IOException {
        Path elsewhere = file.resolveSibling("elsewhere");
        Files.move(file, elsewhere);
        Files.createSymbolicLink(file, elsewhere);
    }

    private static void pipe(Path file) throws Exception {
        Files.deleteIfExists(file);
        Process made = new ProcessBuilder("mkfifo", "-m", "600", file.toString()).start();
        assertThat(made.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assumeTrue(made.exitValue() == 0, "there is mkfifo");
    }

    private static void folder(HostileWorld world, Path file) throws IOException {
        Files.delete(file);
        Files.createDirectory(file);
    }

    private static void mode(Path file, String permissions) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private static void givenAway(HostileWorld world, Path file) throws IOException {
        assumeTrue(isRoot(file), "only root can give a file away");
        Files.setAttribute(file, "unix:uid", 65_534);
    }

    private static boolean isRoot(Path file) throws IOException {
        return Files.getAttribute(file, "unix:uid").equals(0);
    }

    private static void write(Path file, String content) throws IOException {
        Files.writeString(file, content);
    }

    private static void later(HostileWorld world, Path file) throws IOException {
        write(file, Files.readString(file).replace("\"format\":2", "\"format\":3"));
    }

    private static void generation(HostileWorld world, Path file) throws IOException {
        write(file, Files.readString(file).replace("\"generation\":7", "\"generation\":99999999999999999999"));
    }

    private static void renamed(HostileWorld world, Path file) throws IOException {
        TokenKey key = world.key();
        TokenKey other = new TokenKey(key.issuer(), "https://other.example", key.principal());
        Files.delete(file);
        new FileTokenStore(world.folder).write(world.stored(other));
        Files.move(world.folder.resolve(world.records().keySet().iterator().next()), file);
        world.serverUrl = world.serverUrl.resolve("/mcp?");
        world.server.set(settings -> settings.withResource(key.resource()));
    }

    private static void huge(HostileWorld world, Path file) throws IOException {
        write(file, Files.readString(file) + " ".repeat(17 << 20));
    }

    private static Path lock(Path file) {
        return file.resolveSibling(file.getFileName().toString().replace(".json", ".lock"));
    }

    private static void lockPipe(HostileWorld world, Path file) throws Exception {
        Files.delete(file);
        pipe(lock(file));
    }

    private static void lockLink(HostileWorld world, Path file) throws IOException {
        Files.delete(file);
        Files.deleteIfExists(lock(file));
        Files.createSymbolicLink(lock(file), file.resolveSibling("elsewhere"));
    }

    private static void storeFile(HostileWorld world, Path file) throws IOException {
        Files.delete(file);
        Files.delete(world.folder);
        Files.createFile(world.folder);
    }

    private static void storeLink(HostileWorld world, Path file) throws IOException {
        Path elsewhere = world.folder.resolveSibling("elsewhere");
        Files.move(world.folder, elsewhere);
        Files.createSymbolicLink(world.folder, elsewhere);
    }

    /// The rights of others are taken away, and those of the owner given back: it is the folder of this user.
    private static void storeReadOnly(HostileWorld world, Path file) throws IOException {
        assumeTrue(!isRoot(file), "root may write to every folder");
        mode(world.folder, "r-x------");
    }
}
