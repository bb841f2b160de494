package dev.fusebox.oauth;

import static dev.fusebox.client.ErrorId.LOGIN_FAILED;
import static dev.fusebox.fixtures.oauth.FaultPoint.AUTHORIZE;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.CALLBACK_ERROR;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.ERROR_WITH_MARKUP;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.ISS_WITH_SLASH;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.NO_ISS;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.NO_STATE;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.REPEATED_PARAMETERS;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.WRONG_CODE;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.WRONG_ISS;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.WRONG_STATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.fusebox.fixtures.oauth.FaultPoint;
import dev.fusebox.fixtures.oauth.OAuthFaultKind;
import dev.fusebox.oauth.token.TokenRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Hostile callbacks: what belongs to the login ends it with its own message, and what does not has no effect.
@Execution(ExecutionMode.CONCURRENT)
class HostileCallbackTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource
    void response_that_cannot_be_accepted_ends_the_login(HostileRow row) throws Exception {
        try (HostileWorld world = new HostileWorld(folder)) {
            row.arrange().accept(world);
            world.opened = 1;
            world.check(row.id(), row.fragment());
            assertThat(world.issuer.observed().requests(FaultPoint.CODE)).isEmpty();
            assertThat(world.page()).contains("<h1>Not logged in</h1>");
        }
    }

    static Stream<HostileRow> response_that_cannot_be_accepted_ends_the_login() {
        String another = "comes from another authorization server (iss)";
        return Stream.of(
                ended("no iss although announced", NO_ISS, "", "does not say which authorization server"),
                ended("iss of another server", WRONG_ISS, "https://issuer.example", another),
                ended("iss with a slash", ISS_WITH_SLASH, "", another),
                ended("iss in upper case", WRONG_ISS, "HTTP://127.0.0.1", another),
                ended("no code", WRONG_CODE, "none", "contains no code"),
                ended("code with a line break", WRONG_CODE, "a\nb", "has characters that no code may have"),
                ended("denied", CALLBACK_ERROR, "access_denied", "access was denied"),
                ended("known error", CALLBACK_ERROR, "invalid_scope", "refused: invalid_scope"),
                ended("error with a secret", CALLBACK_ERROR, "old-refresh-token", "unknown error code"),
                ended("markup", ERROR_WITH_MARKUP, "<script>alert(1)</script>", "unknown error code"),
                changed(
                                "error of another server",
                                url -> url.replaceFirst("code=[^&]*", "error=access_denied")
                                        .replaceFirst("iss=[^&]*", "iss=https%3A%2F%2Fissuer.example"))
                        .refused(LOGIN_FAILED, another));
    }

    private static HostileRow ended(String name, OAuthFaultKind kind, String value, String fragment) {
        return HostileRow.of(name, AUTHORIZE, kind, value).refused(LOGIN_FAILED, fragment);
    }

    private static HostileRow changed(String name, UnaryOperator<String> change) {
        return visit(name, (browser, callback) -> browser.get(change.apply(callback)));
    }

    private static HostileRow visit(String name, HostileBrowser.Visit visit) {
        return HostileRow.of(name, world -> world.browser.visits(visit));
    }

    /// The person gives up after it.
    @ParameterizedTest
    @MethodSource
    void request_that_is_not_the_response_has_no_effect(HostileRow row) throws Exception {
        try (HostileWorld world = new HostileWorld(folder)) {
            row.arrange().accept(world);
            world.opened = 1;
            world.check(LOGIN_FAILED, "the login was cancelled");
            assertThat(world.issuer.observed().requests(FaultPoint.CODE)).isEmpty();
            assertThat(world.page()).contains(row.fragment());
        }
    }

    static Stream<HostileRow> request_that_is_not_the_response_has_no_effect() {
        String state = "belongs to another login (state)";
        return Stream.of(
                refused(HostileRow.of("wrong state", AUTHORIZE, WRONG_STATE, "wrong"), state),
                refused(HostileRow.of("no state", AUTHORIZE, NO_STATE, ""), state),
                refused(HostileRow.of("repeated", AUTHORIZE, REPEATED_PARAMETERS, ""), "has a parameter twice"),
                refused(changed("two codes", url -> url + "&code=mine"), "has a parameter twice"),
                refused(changed("two states", url -> url + "&st%61te=mine"), "has a parameter twice"),
                refused(changed("two issuers", url -> url + "&iss=mine"), "has a parameter twice"),
                refused(changed("state in another case", url -> url.replace("state=", "State=")), state),
                refused(changed("bad encoding", url -> url + "&x=%zz"), "is not a valid query"),
                refused(changed("no query", url -> url.replaceFirst("\\?.*", "?")), state),
                refused(changed("another path", url -> url.replace("/callback", "/")), "404 Not Found"),
                refused(changed("path below", url -> url.replace("/callback", "/callback/x")), "404 Not Found"),
                refused(changed("9 KiB", url -> url + "&x=" + "y".repeat(9 << 10)), "HTTP/1.1 4"),
                refused(script("POST"), "405 "),
                refused(script("HEAD"), "405 "),
                refused(script("OPTIONS"), "HTTP/1.1 4"),
                refused(script("GET", "Origin: https://evil.example"), "403 Forbidden"),
                refused(script("GET", "Origin: null"), "403 Forbidden"),
                refused(script("GET", "Sec-Fetch-Mode: cors"), "403 Forbidden"),
                refused(script("GET", "Sec-Fetch-Mode: no-cors"), "403 Forbidden"),
                refused(script("GET", "Host: evil.example"), "403 Forbidden"));
    }

    private static HostileRow script(String method, String... fields) {
        return visit(method + " " + List.of(fields), (browser, callback) -> browser.send(callback, method, fields));
    }

    private static HostileRow refused(HostileRow row, String page) {
        return row.refused(LOGIN_FAILED, page);
    }

    @Test
    void wrong_callbacks_do_not_keep_the_right_one_away() throws Exception {
        try (HostileWorld world = new HostileWorld(folder)) {
            world.opened = 1;
            world.browser.visits((browser, callback) -> {
                for (int i = 0; i < 100; i++) {
                    browser.get(callback.replaceFirst("state=[^&]*", "state=" + i));
                }
                browser.get(callback);
            });
            TokenRecord made = world.check(null, "");
            assertThat(made).isNotNull();
            assertThat(world.page()).contains("Fusebox is logged in to files (127.0.0.1)");
        }
    }

    @Test
    void repeated_and_late_callbacks_redeem_nothing() throws Exception {
        try (HostileWorld world = new HostileWorld(folder)) {
            world.opened = 1;
            List<String> callbacks = new CopyOnWriteArrayList<>();
            world.browser.visits((browser, callback) -> {
                callbacks.add(callback);
                Thread second = Thread.startVirtualThread(() -> repeat(browser, callback));
                browser.get(callback);
                join(second);
            });
            assertThat(world.check(null, "")).isNotNull();
            assertThat(world.issuer.observed().requests(FaultPoint.CODE)).hasSize(1);
            assertThatIOException().isThrownBy(() -> world.browser.get(callbacks.getFirst()));
            assertThat(world.issuer.observed().requests(FaultPoint.CODE)).hasSize(1);
        }
    }

    /// The listener may be closed by then.
    private static void repeat(HostileBrowser browser, String callback) {
        try {
            browser.get(callback);
        } catch (IOException closed) {
            browser.pages.add("closed");
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
