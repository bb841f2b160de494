package dev.fusebox.gateway.provision;

import dev.fusebox.gateway.provision.RegistryEntry.Input;
import java.util.Locale;
import java.util.regex.Pattern;

/// Checks of the inputs that a registry entry requires. Pure functions.
final class EntryInputs {
    private static final int MAX_LENGTH = 1_000;
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,99}");
    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9-]{1,100}");
    private static final Pattern OPTION = Pattern.compile("-{1,2}[A-Za-z0-9][A-Za-z0-9._-]*");

    /// Variables that decide what is run, where it comes from, or who may see it, regardless of who sets them. A
    /// name with only the same beginning, such as `GITHUB_TOKEN`, belongs to the server.
    private static final Pattern DECISIVE = Pattern.compile(
            "(?:LD|DYLD|NPM|UV|PIP|DOCKER|JAVA|_JAVA|JDK|BASH|GIT|SSL|OPENSSL|FUSEBOX|XDG|DOTNET|CORECLR|TS_NODE)_.*"
                    + "|PYTHON.*|PERL(?:5.*|LIB)|RUBY(?:OPT|LIB)|(?:BASH|SHELL)OPTS|CLASSPATH|SSLKEYLOGFILE|GCONV_PATH"
                    + "|NODE_(?:OPTIONS|PATH|EXTRA_CA_CERTS|COMPILE_CACHE|V8_COVERAGE|TLS.*|REPL.*)|LUA_INIT.*"
                    + "|PATH|HOME|SHELL|ENV|IFS|TMPDIR|PREFIX|BROWSER|EDITOR|VISUAL|PAGER|HOSTALIASES|GLIBC_TUNABLES"
                    + "|.*_(?:PROXY|CA_BUNDLE)");

    private EntryInputs() {}

    /// Whether a person can see all of it, and it contains no placeholder that is filled in later.
    static boolean isReadable(Input input) {
        String text = input.text() == null ? "" : input.text();
        return isPlain(input.name())
                && isPlain(text)
                && (!input.isOption() || OPTION.matcher(input.name()).matches());
    }

    private static boolean isPlain(String text) {
        return text.length() <= MAX_LENGTH
                && PlainText.isAscii(text)
                && text.indexOf('$') < 0
                && text.indexOf('{') < 0
                && text.indexOf('}') < 0;
    }

    static boolean isHarmlessVariable(Input input) {
        return VARIABLE.matcher(input.name()).matches()
                && !DECISIVE.matcher(input.name().toUpperCase(Locale.ROOT)).matches();
    }

    static boolean isHeader(Input input) {
        return HEADER.matcher(input.name()).matches();
    }

    /// The variable that supplies an argument or a header without a text. Its name contains the purpose, because
    /// the registry decides the text around it: otherwise a server `aws` that asks for a `secret access key` would
    /// get one that was set for another purpose.
    ///
    /// @param use what the value becomes part of
    static String variable(String id, String use, Input input) {
        String name = id + "_" + use + "_" + input.name();
        String safe =
                name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "_").replaceFirst("_$", "");
        return Character.isDigit(safe.charAt(0)) ? "SERVER_" + safe : safe;
    }
}
