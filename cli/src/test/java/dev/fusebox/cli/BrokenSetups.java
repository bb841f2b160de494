package dev.fusebox.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Broken server setups, each with the findings that the doctor must report. Their programs are shell scripts in a
/// folder.
final class BrokenSetups {
    /// No program listens there. A port that was free a moment ago may be taken by another test.
    static final int CLOSED_PORT = 1;

    /// Answers as a server with one tool does, or as its first argument says.
    private static final String SERVER = """
            #!/bin/sh
            capabilities='"tools":{}'
            [ "$1" = part ] && capabilities='"tools":{},"resources":{}'
            info='"capabilities":{'$capabilities'},"serverInfo":{"name":"small","version":"1"}'
            answer() { printf '{"jsonrpc":"2.0","id":%s,%s}\\n' "$id" "$1"; }
            [ "$1" = banner ] && echo 'Welcome to the server!'
            while IFS= read -r line; do
                id=${line#*'"id":'}
                id=${id%%[,\\}]*}
                case $1:$line in
                    refuse:*'"id":'*) answer '"error":{"code":-32000,"message":"not today"}' ;;
                    old:*'"initialize"'*) answer '"result":{"protocolVersion":"1999-12-31",'"$info}" ;;
                    *'"initialize"'*) answer '"result":{"protocolVersion":"2025-11-25",'"$info}" ;;
                    hang:*'"tools/list"'*) ;;
                    unlisted:*'"tools/list"'*) answer '"error":{"code":-32603,"message":"no backend"}' ;;
                    part:*'"resources/list"'*) answer '"error":{"code":-32603,"message":"no backend"}' ;;
                    part:*'"resources/templates/list"'*) answer '"result":{"resourceTemplates":[]}' ;;
                    invalid:*'"tools/list"'*) answer '"result":{"tools":[{"name":"a"}]}' ;;
                    hides:*'"tools/list"'*)
                        answer '"result":{"tools":[{"name":"b","description":"x\u200Bx","inputSchema":{}}]}' ;;
                    twice:*'"tools/list"'*)
                        answer '"result":{"tools":[{"name":"b","inputSchema":{}},{"name":"B","inputSchema":{}}]}' ;;
                    cursor:*'"tools/list"'*) answer '"result":{"tools":[],"nextCursor":5}' ;;
                    loop:*'"tools/list"'*) answer '"result":{"tools":[],"nextCursor":"x"}' ;;
                    *'"tools/list"'*) answer '"result":{"tools":[{"name":"b","inputSchema":{"type":"object"}}]}' ;;
                    *'"sulk"'*) answer '"result":{"isError":true,"content":[{"type":"text","text":"not like that"}]}' ;;
                    *'"sleep"'*) ;;
                    *'"tools/call"'*)
                        echo 'called once' >&2
                        image='{"type":"image","data":"aGk=","mimeType":"image/png"}'
                        answer '"result":{"content":[{"type":"text","text":"done"},'"$image]}" ;;
                    *'"id":'*) answer '"result":{}' ;;
                esac
            done
            """;

    private final Path folder;
    private final List<Case> cases = new ArrayList<>();

    /// @param ids one of which must be among the findings
    /// @param words that its findings must have, in cause, evidence or remedy
    record Case(String name, String entry, Set<String> ids, List<String> words) {
        boolean isFailure() {
            return !name.startsWith("warn-");
        }
    }

    BrokenSetups(Path folder) {
        this.folder = folder;
        Disk.write(folder.resolve("server"), SERVER, true);
    }

    List<Case> cases() {
        return List.copyOf(cases);
    }

    /// All of them in one file.
    String config() {
        return cases.stream()
                .map(each -> "  \"" + each.name() + "\": {" + each.entry() + "}")
                .collect(Collectors.joining(",\n", "{\"mcpServers\": {\n", "\n}}\n"));
    }

    private void add(String name, String entry, String ids, String... words) {
        cases.add(new Case(name, entry, Set.of(ids.split("\\|", -1)), List.of(words)));
    }

    private String script(String name, String text) {
        Disk.write(folder.resolve(name), "#!/bin/sh\n" + text + "\n", true);
        return command(folder.resolve(name));
    }

    private static String command(Path file) {
        return "\"command\": \"" + file + "\"";
    }

    private String server(String how) {
        return server(how, 60_000);
    }

    private String server(String how, int timeoutMs) {
        return command(folder.resolve("server")) + ", \"args\": [\"" + how + "\"], \"timeoutMs\": " + timeoutMs;
    }

    BrokenSetups withFiles() {
        Disk.write(folder.resolve("plain"), "#!/bin/sh\n", false);
        Disk.write(folder.resolve("other"), "#!/nowhere/at/all\n", true);
        add("missing", "\"command\": \"no-such-command\"", "command-not-found", "is not in the PATH", ":2: install");
        add("whole", "\"command\": \"npx -y @a/b\"", "server-invalid", "\"args\": [\"-y\", \"@a/b\"]");
        add("whole-path", "\"command\": \"/bin/sh -c x\"", "command-not-found", "\"command\": \"/bin/sh\", \"args\":");
        add("address", "\"command\": \"http://h/mcp\"", "server-invalid", "write it as \"url\"");
        Disk.write(folder.resolve("a.txt"), "some text\n", false);
        add("text", command(folder.resolve("a.txt")), "command-not-executable", "neither a program nor a script");
        add(
                "runner",
                "\"command\": \"uvx\", \"env\": {\"PATH\": \"/nowhere\"}",
                "command-not-found",
                "install uv,",
                "`pipx install uv`");
        add("wrong-path", "\"command\": \"/nowhere/at/all\"", "command-not-found", "correct the path");
        add(
                "no-right",
                command(folder.resolve("plain")),
                "command-not-executable",
                "chmod +x " + folder.resolve("plain"));
        add("folder", command(folder), "command-not-executable", "is a folder");
        add("interpreter", command(folder.resolve("other")), "interpreter-missing", "`head -1 ");
        add("cwd", "\"command\": \"sh\", \"cwd\": \"/nowhere\"", "folder-missing", "`mkdir -p /nowhere`");
        return this;
    }

    BrokenSetups withExits() {
        add(
                "says-why",
                script("e1", "echo no token given >&2; exit 1"),
                "server-exited",
                "code 1",
                "stderr: no token given");
        add(
                "silent-exit",
                script("e0", "exit 1"),
                "server-exited",
                "code 1",
                "no stderr captured",
                "manually in a shell with `" + folder.resolve("e0") + "`");
        add("no-server", script("ok", "exit 0"), "server-exited", "code 0", "it may not be an MCP server");
        add("usage", script("e2", "echo usage >&2; exit 2"), "server-exited", "code 2", "arguments are wrong");
        add("exit-126", script("e126", folder.resolve("plain").toString()), "server-exited", "code 126", "chmod +x");
        add("exit-127", script("e127", "no-such-command"), "server-exited", "code 127", "was not found");
        add("exit-137", script("e137", "exit 137"), "server-exited", "code 137", "ran out of memory");
        add("killed", script("kill", "kill -KILL $$"), "server-killed", "SIGKILL", "dmesg");
        add("segfault", script("segv", "kill -SEGV $$"), "server-killed", "SIGSEGV", "native code");
        add(
                "silent",
                script("mute", "while read -r line; do :; done") + ", \"connectTimeoutMs\": 1500",
                "handshake-silent",
                "initialize");
        add(
                "slow-download",
                script("slow/npx", "while read -r line; do :; done")
                        + ", \"args\": [\"-y\", \"big\"], \"connectTimeoutMs\": 1500",
                "handshake-silent",
                "`" + folder.resolve("slow/npx") + " -y big </dev/null` downloads the server");
        add("closes", script("shut", "exec 1>&-; exec cat >/dev/null"), "output-closed", "in the foreground");
        return this;
    }

    /// Programs that end as npm, npx, Node.js, Python and Docker do, with what those write.
    BrokenSetups withCrashes() {
        String no = "Error: Cannot find module ";
        add(
                "no-package",
                script(
                        "npm",
                        errors(
                                "npm error code E404",
                                "npm error 404  The requested resource 'nowhere@*' could not be"
                                        + " found or you do not have permission to access it.")),
                "package-not-found",
                "npm cannot find package nowhere (exited with code 1)",
                "`npm view nowhere`");
        add(
                "no-module",
                script(
                        "node",
                        errors("x", "^", no + "'zod'", "Require stack:", "- " + folder + "/a.js", "Node.js v20")),
                "module-missing",
                "`cd " + folder + " && npm install zod`");
        add(
                "no-script",
                script("lost", errors("^", no + "'/nowhere/a.js'")),
                "module-missing",
                "the file /nowhere/a.js does not exist");
        add(
                "python",
                script("python3", errors("/usr/bin/python3: No module named nowhere.part")),
                "module-missing",
                "`" + folder.resolve("python3") + " -m pip install nowhere`");
        add(
                "home",
                script("tilde", errors("^", no + "'/srv/~/a.js'")) + ", \"args\": [\"~/a.js\"]",
                "home-not-expanded",
                "write ${HOME}/a.js instead of ~/a.js");
        add("home-command", "\"command\": \"~/bin/server\"", "home-not-expanded", "${HOME}/bin/server");
        add("home-folder", "\"command\": \"sh\", \"cwd\": \"~/work\"", "home-not-expanded", "${HOME}/work");
        add(
                "docker",
                script(
                        "docker",
                        errors("docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is"
                                + " the docker daemon running?")),
                "docker-unreachable",
                "`docker info`");
        add(
                "npx-cache",
                script("npx", errors("^", no + "'" + folder + "/_npx/0123456789abcdef/node_modules/zod/a.js'")),
                "npx-cache-stale",
                "`rm -rf " + folder + "/_npx/0123456789abcdef`");
        withPackages(no);
        withPythons();
        withOwnReasons();
        return this;
    }

    private void withPackages(String no) {
        add(
                "no-sdk",
                script(
                        "node-sdk",
                        errors(
                                "^",
                                no + "'@modelcontextprotocol/sdk/server/mcp.js'",
                                "Require stack:",
                                "- " + folder + "/a.js",
                                "    at frame (x)\n".repeat(30) + "Node.js v20")),
                "module-missing",
                "stderr: " + no + "'@modelcontextprotocol/sdk/server/mcp.js'",
                "`cd " + folder + " && npm install @modelcontextprotocol/sdk`");
        add(
                "no-part",
                script("node-part", errors("^", no + "'zod/v4'", "Require stack:", "- " + folder + "/a.js")),
                "module-missing",
                " && npm install zod`");
        add(
                "no-yes",
                script("npx-ask", errors("npm error npx canceled due to missing packages and no YES option: [\"a@1\"]"))
                        + ", \"args\": [\"--no\", \"a\"]",
                "server-exited",
                "put \"-y\" before the package: \"args\": [\"-y\", \"a\"]");
        add(
                "no-folder",
                script(
                                "filesystem",
                                errors(
                                        "Warning: Cannot access directory /nowhere, skipping",
                                        "Error: None of the specified directories are accessible"))
                        + ", \"args\": [\"/nowhere\"]",
                "server-exited",
                "create the folder or correct the argument",
                "`mkdir -p /nowhere`");
    }

    private void withPythons() {
        String missing = errors("/usr/bin/python3: No module named nowhere.part");
        Disk.write(folder.resolve("system/lib/python3.11/EXTERNALLY-MANAGED"), "[externally-managed]\n", false);
        add(
                "python-of-system",
                script("system/bin/python3.11", missing),
                "module-missing",
                "system/bin/python3.11 -m venv ~/.venvs/python-of-system"
                        + " && ~/.venvs/python-of-system/bin/pip install nowhere`",
                "\"${HOME}/.venvs/python-of-system/bin/python\"");
        Disk.write(folder.resolve("venv/pyvenv.cfg"), "home = /usr/bin\n", false);
        Disk.write(folder.resolve("venv/lib/python3.11/EXTERNALLY-MANAGED"), "[externally-managed]\n", false);
        add(
                "python-of-venv",
                script("venv/bin/python3.11", missing),
                "module-missing",
                "`" + folder.resolve("venv/bin/python3.11") + " -m pip install nowhere`");
    }

    private void withOwnReasons() {
        add(
                "no-key",
                script("keyless", errors("Error: SOME_API_KEY environment variable is required")),
                "variable-missing",
                "write \"env\": {\"SOME_API_KEY\": \"${SOME_API_KEY}\"}",
                "`export SOME_API_KEY=VALUE`");
        add(
                "nested",
                script(
                        "own-script",
                        errors("fusebox: not serving " + folder.resolve("servers.json")
                                + ", because this gateway was started by a gateway that serves the same file (see"
                                + " FUSEBOX_SERVED), which would cause endless recursion; remove the server")),
                "server-invalid",
                "starts Fusebox itself with " + folder.resolve("servers.json"),
                " remove nested");
    }

    private static String errors(String... lines) {
        return "cat >&2 <<'END'\n" + String.join("\n", lines) + "\nEND\nexit 1";
    }

    BrokenSetups withAnswers() {
        add("refuses", server("refuse"), "handshake-refused", "error -32000", "\"era\"");
        add("revision", server("old"), "handshake-refused", "1999-12-31");
        add("list-hangs", server("hang", 2_000), "call-timeout", "tools/list");
        add("unlisted", server("unlisted"), "tools-unlisted", "no backend");
        add("warn-part", server("part"), "list-failed", "answers resources/list with an error: no backend");
        add("warn-noise", server("banner"), "output-noise", "Welcome to the server!", "standard error");
        add("warn-invalid", server("invalid"), "tool-invalid", "a: inputSchema is not");
        add("warn-twice", server("twice"), "tool-name-twice", "B");
        add("warn-hides", server("hides"), "hidden-text", "1 of its tools contain hidden characters");
        add("warn-loop", server("loop"), "tools-endless");
        add("warn-cursor", server("cursor"), "tools-endless", "nextCursor on page 1", "is not a string");
        add(
                "warn-shape",
                "\"command\": \"sh\", \"args\": [\"-c\", \"exec " + folder.resolve("server") + "\"]",
                "command-shape");
        add("warn-loader", server("") + ", \"env\": {\"NODE_OPTIONS\": \"-r x\"}", "variable-shape", "NODE_OPTIONS");
        return this;
    }

    BrokenSetups withConfigs() {
        add(
                "variables",
                "\"command\": \"${NOT_A}\", \"args\": [\"${NOT_B}\"]",
                "variable-missing",
                "NOT_A, NOT_B",
                ":-default}");
        add(
                "inputs",
                "\"command\": \"sh\", \"env\": {\"T\": \"${input:gh-token}\"}",
                "variable-missing",
                "input:gh-token",
                "write ${GH_TOKEN} in place of ${input:gh-token}",
                "`export GH_TOKEN=VALUE`");
        add("misspelled", "\"comand\": \"sh\"", "server-invalid", "did you mean \"command\"?");
        add("neither", "\"args\": []", "server-invalid", "neither");
        add("wrong-type", "\"command\": \"sh\", \"args\": \"x\"", "server-invalid");
        add("no-url", "\"url\": \"not a url\"", "server-invalid");
        add("warn-disabled", "\"command\": \"sh\", \"disabled\": true", "server-disabled", "disabled");
        return this;
    }

    BrokenSetups withUrls(StatusServer web) {
        url("page", web.url("/page"), "web-page", "which is now /page");
        url("empty", web.url("/empty"), "no-message");
        url("redirect", web.url("/302"), "http-redirect", "redirects to");
        url("unauthorized", web.url("/401"), "resource-metadata-missing", "\"issuer\"", "Bearer ${TOKEN}");
        url("forbidden", web.url("/403"), "http-403", "HTTP status 403");
        url("nothing", web.url("/404"), "http-404", "which is now /404");
        url("no-post", web.url("/405"), "http-405", "\"sse\"");
        url("no-accept", web.url("/406"), "http-406", "Accept");
        url("too-many", web.url("/429"), "http-429", "17 s");
        url("broken", web.url("/500"), "http-5xx", "HTTP status 500");
        url("behind", web.url("/503"), "http-5xx", "HTTP status 503");
        url("ssh", web.url("/ssh"), "not-http", "scheme and port");
        url("lost", web.url("/lost"), "connection-lost");
        url("plain-tls", web.url("/404").replace("http:", "https:"), "tls-failed", "http://");
        url("closed", "http://127.0.0.1:" + CLOSED_PORT + "/mcp", "connection-refused", "start the server");
        url("no-name", "http://no-such-host.invalid/mcp", "name-not-found|name-service-silent", "no-such-host.invalid");
        add(
                "expired-token",
                "\"url\": \"" + web.url("/401") + "\", \"headers\": {\"Authorization\": \"Bearer s3cr3t-canary\"}",
                "http-401",
                "renew the credentials");
        return this;
    }

    void url(String name, String url, String ids, String... words) {
        add(name, "\"url\": \"" + url + "\"", ids, words);
    }

    /// @param authority a file with the authority that signed
    BrokenSetups withCertificates(int expired, Path authority) {
        String url = "\"url\": \"https://127.0.0.1:" + expired + "/mcp\"";
        add("expired", url + ", \"ca\": \"" + authority + "\"", "certificate-expired", "renew the certificate");
        add("untrusted", url, "certificate-untrusted", "PEM file");
        return this;
    }
}
