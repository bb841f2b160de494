import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.tools.javac.code.Flags;
import com.sun.tools.javac.code.Symbol;
import com.sun.tools.javac.code.Symbol.ClassSymbol;
import com.sun.tools.javac.code.Symbol.MethodSymbol;
import com.sun.tools.javac.code.Symbol.VarSymbol;
import com.sun.tools.javac.code.Type;
import com.sun.tools.javac.tree.EndPosTable;
import com.sun.tools.javac.tree.JCTree;
import com.sun.tools.javac.tree.JCTree.JCAnnotation;
import com.sun.tools.javac.tree.JCTree.JCClassDecl;
import com.sun.tools.javac.tree.JCTree.JCCompilationUnit;
import com.sun.tools.javac.tree.JCTree.JCFieldAccess;
import com.sun.tools.javac.tree.JCTree.JCIdent;
import com.sun.tools.javac.tree.JCTree.JCImport;
import com.sun.tools.javac.tree.JCTree.JCMemberReference;
import com.sun.tools.javac.tree.JCTree.JCMethodDecl;
import com.sun.tools.javac.tree.JCTree.JCModifiers;
import com.sun.tools.javac.tree.JCTree.JCNewClass;
import com.sun.tools.javac.tree.JCTree.JCVariableDecl;
import com.sun.tools.javac.tree.TreeInfo;
import com.sun.tools.javac.tree.TreeScanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/// Renames types, packages and members over the whole tree, by what the compiler says each name means.
///
/// The table (the first argument) has lines of four kinds; `#` begins a comment:
///
///     package OLD NEW        the types that follow are of package OLD and go to package NEW (they may be the same)
///     Old New [variable]     a type; variables, accessors and methods that are named for it follow
///     Old.Nested New         a nested type
///     Old#member new         a method or a field of a type of that package
///
/// Types of a package that no line names keep their names and go to NEW with the others. Names that a line gives which
/// are no longer there are passed over, so that a table can be run again.
public final class Rename {
    static final Path ROOT = Path.of("").toAbsolutePath();
    static final String OURS = "dev.fusebox";

    record Edit(int from, int to, String text) {}

    final Map<String, String> packages = new LinkedHashMap<>();
    final Map<String, String> types = new LinkedHashMap<>(); // flat old name -> new simple name
    final Map<String, String> homes = new HashMap<>(); // top-level old name -> new package, where a line gives one
    final Map<String, String> variables = new HashMap<>();
    final Map<String, String> members = new LinkedHashMap<>(); // owner#name -> new
    final Map<JCCompilationUnit, Map<Integer, Edit>> edits = new LinkedHashMap<>();
    final Map<JCCompilationUnit, String> texts = new HashMap<>();
    final Map<ClassSymbol, JCCompilationUnit> unitOf = new HashMap<>();
    final Map<Symbol, String> newNames = new IdentityHashMap<>();
    final Map<JCCompilationUnit, Set<String>> declaredVariables = new HashMap<>();
    final Map<JCCompilationUnit, Map<String, String>> memberWords = new HashMap<>();
    final Map<Symbol, JCTree> declarations = new IdentityHashMap<>();
    final Map<Symbol, JCCompilationUnit> declaredIn = new IdentityHashMap<>();
    final Set<Symbol> widened = Collections.newSetFromMap(new IdentityHashMap<>());
    final Map<Symbol, Symbol> groups = new IdentityHashMap<>();
    boolean plurals;
    final Set<String> table = new HashSet<>(); // for `plurals`: type, and "type variable"
    boolean longForms;
    List<JCCompilationUnit> units;
    JavacTask task;
    final List<String> notes = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        new Rename().run(Path.of(args[0]), Files.readString(Path.of(args[1])).strip());
    }

    void run(Path table, String classpath) throws Exception {
        read(table);
        analyze(classpath);
        index();
        decideTypes();
        decideMembers();
        for (JCCompilationUnit unit : units) rewrite(unit);
        widen();
        write();
        texts();
        notes.stream().distinct().forEach(System.out::println);
    }

    void read(Path table) throws IOException {
        String pack = null;
        for (String raw : Files.readAllLines(table)) {
            String line = raw.replaceAll("(^|\\s)#.*", "").strip();
            if (line.isEmpty()) continue;
            String[] words = line.split("\\s+");
            if (words[0].equals("package")) {
                pack = words[1];
                packages.put(pack, words[2]);
            } else if (words[0].equals("plurals")) {
                plurals = true;
                try (var tables = Files.list(table.toAbsolutePath().getParent())) {
                    for (Path other : tables.toList()) {
                        for (String each : Files.readAllLines(other)) {
                            String[] parts = each.strip().split("\\s+");
                            if (parts.length < 2 || parts[0].equals("package")) continue;
                            this.table.add(parts[1]);
                            if (parts.length > 2) this.table.add(parts[1] + " " + parts[2]);
                        }
                    }
                }
            } else if (words[0].contains("#")) {
                members.put(pack + "." + words[0], words[1]);
            } else {
                String name = words[1];
                int dot = name.lastIndexOf('.');
                if (dot > 0) {
                    homes.put(pack + "." + words[0], name.substring(0, dot));
                    name = name.substring(dot + 1);
                }
                types.put(pack + "." + words[0], name);
                if (words.length > 2) variables.put(pack + "." + words[0], words[2]);
            }
        }
    }

    void analyze(String classpath) throws Exception {
        List<Path> files = tracked().stream()
                .filter(p -> p.toString().endsWith(".java"))
                .filter(p -> p.toString().contains("/src/"))
                .filter(p -> !p.endsWith("package-info.java") && !p.endsWith("module-info.java"))
                .toList();
        StandardJavaFileManager manager =
                ToolProvider.getSystemJavaCompiler().getStandardFileManager(null, null, StandardCharsets.UTF_8);
        int[] errors = {0};
        task = (JavacTask) ToolProvider.getSystemJavaCompiler()
                .getTask(
                        null,
                        manager,
                        d -> {
                            if (d.getKind() == javax.tools.Diagnostic.Kind.ERROR && errors[0]++ < 30) System.err.println(d);
                        },
                        List.of("-proc:none", "-cp", classpath, "-XDshould-stop.ifError=FLOW", "-Xmaxerrs", "10000"),
                        null,
                        manager.getJavaFileObjectsFromPaths(files));
        units = new ArrayList<>();
        for (CompilationUnitTree unit : task.parse()) units.add((JCCompilationUnit) unit);
        task.analyze();
        System.err.println(units.size() + " files, " + errors[0] + " errors");
    }

    static List<Path> tracked() throws IOException {
        Process git = new ProcessBuilder("git", "ls-files", "-z").directory(ROOT.toFile()).start();
        String all = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return List.of(all.split("\0")).stream().map(Path::of).map(ROOT::resolve).filter(Files::isRegularFile).toList();
    }

    // ---- What is declared

    void index() throws IOException {
        for (JCCompilationUnit unit : units) {
            texts.put(unit, unit.getSourceFile().getCharContent(true).toString());
            edits.put(unit, new TreeMap<>());
            Set<String> names = new HashSet<>();
            declaredVariables.put(unit, names);
            memberWords.put(unit, new HashMap<>());
            new TreeScanner() {
                @Override
                public void visitClassDef(JCClassDecl tree) {
                    if (tree.sym != null) {
                        unitOf.put(tree.sym, unit);
                        declare(tree.sym, tree);
                    }
                    super.visitClassDef(tree);
                }

                @Override
                public void visitMethodDef(JCMethodDecl tree) {
                    if (tree.sym != null && (tree.mods.flags & Flags.GENERATEDCONSTR) == 0) declare(tree.sym, tree);
                    super.visitMethodDef(tree);
                }

                @Override
                public void visitVarDef(JCVariableDecl tree) {
                    names.add(tree.name.toString());
                    if (tree.sym != null) declare(tree.sym, tree);
                    super.visitVarDef(tree);
                }

                void declare(Symbol symbol, JCTree tree) {
                    declarations.put(symbol, tree);
                    declaredIn.put(symbol, unit);
                }
            }.scan(unit);
        }
    }

    ClassSymbol top(Symbol symbol) {
        return symbol.outermostClass();
    }

    boolean ours(Symbol symbol) {
        Symbol at = symbol;
        while (at != null && !(at.owner instanceof Symbol.PackageSymbol)) at = at.owner;
        return at instanceof ClassSymbol top && unitOf.containsKey(top);
    }

    static String flat(ClassSymbol symbol) {
        return symbol.flatName().toString().replace('$', '.');
    }

    String packageOf(Symbol symbol) {
        ClassSymbol top = top(symbol);
        String old = top.packge().fullname.toString();
        String home = homes.get(flat(top));
        return home != null ? home : movedPackage(old);
    }

    String movedPackage(String old) {
        return packages.getOrDefault(old, old);
    }

    String newSimple(ClassSymbol symbol) {
        String name = newNames.get(symbol);
        return name == null ? symbol.name.toString() : name;
    }

    String newFull(ClassSymbol symbol) {
        if (symbol.owner instanceof ClassSymbol outer) return newFull(outer) + "." + newSimple(symbol);
        return packageOf(symbol) + "." + newSimple(symbol);
    }

    // ---- What is decided

    void decideTypes() {
        Map<String, ClassSymbol> known = new HashMap<>();
        for (ClassSymbol symbol : unitOf.keySet()) known.put(flat(symbol), symbol);
        for (Map.Entry<String, String> line : types.entrySet()) {
            ClassSymbol symbol = known.get(line.getKey());
            if (symbol == null) notes.add("not there: " + line.getKey());
            else if (!symbol.name.contentEquals(line.getValue())) newNames.put(symbol, line.getValue());
        }
        // Tests that are named for a type.
        for (ClassSymbol symbol : unitOf.keySet()) {
            String name = symbol.name.toString();
            if (!(symbol.owner instanceof ClassSymbol) && name.endsWith("Test") && !newNames.containsKey(symbol)) {
                for (int end = name.length() - 4; end > 0; end--) {
                    if (end < name.length() && !Character.isUpperCase(name.charAt(end))) continue;
                    ClassSymbol tested = known.get(symbol.packge().fullname + "." + name.substring(0, end));
                    if (tested == null) continue;
                    String fresh = newNames.get(tested);
                    if (fresh != null) {
                        newNames.put(symbol, fresh + name.substring(end));
                        String home = homes.get(flat(tested));
                        if (home != null) homes.put(flat(symbol), home);
                    }
                    break;
                }
            }
        }
        Map<String, String> taken = new HashMap<>();
        for (ClassSymbol symbol : unitOf.keySet()) {
            if (symbol.owner instanceof ClassSymbol || !(symbol.owner instanceof Symbol.PackageSymbol)) continue;
            String before = taken.put(newFull(symbol), flat(symbol));
            if (before != null) throw new IllegalStateException("two types become " + newFull(symbol) + ": " + before + ", " + flat(symbol));
        }
    }

    static String small(String name) {
        return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }

    static String plural(String name) {
        if (name.endsWith("y") && !name.matches(".*[aeiou]y")) return name.substring(0, name.length() - 1) + "ies";
        if (name.endsWith("s") && !name.endsWith("ss")) return name;
        return name + (name.matches(".*(ss|x|ch|sh)") ? "es" : "s");
    }

    /// The new name of a variable or a method of this name and type, or null.
    String follows(String name, Type type, int depth) {
        if (type == null || depth > 2) return null;
        if (type instanceof Type.ArrayType array) return follows(name, array.elemtype, depth + 1);
        if (type.tsym instanceof ClassSymbol symbol && unitOf.containsKey(symbol)) {
            String fresh = newNames.get(symbol);
            if (fresh != null) {
                String old = small(symbol.name.toString());
                String variable = longForms ? small(fresh) : variables.getOrDefault(flat(symbol), small(fresh));
                String capital = variable.substring(0, 1).toUpperCase(Locale.ROOT) + variable.substring(1);
                if (name.equals(old)) return safe(variable);
                if (name.equals(plural(old))) return safe(plural(variable));
                if (name.startsWith(old) && name.length() > old.length() && Character.isUpperCase(name.charAt(old.length()))) return variable + name.substring(old.length());
                if (name.endsWith(symbol.name.toString())) return name.substring(0, name.length() - old.length()) + capital;
                if (name.endsWith(plural(symbol.name.toString()))) return name.substring(0, name.length() - plural(old).length()) + plural(capital);
            }
        }
        for (Type argument : type.getTypeArguments()) {
            String found = follows(name, argument.hasTag(com.sun.tools.javac.code.TypeTag.WILDCARD) && ((Type.WildcardType) argument).type != null ? ((Type.WildcardType) argument).type : argument, depth + 1);
            if (found != null) return found;
        }
        return null;
    }

    /// A collection that is named like one of its elements.
    @SuppressWarnings("unused")
    String several(String name, Type type) {
        if (!plurals || type == null) return null;
        Type element = type instanceof Type.ArrayType array ? array.elemtype : null;
        if (element == null && type.tsym instanceof ClassSymbol symbol) {
            boolean map = symbol.flatName().contentEquals("java.util.Map");
            boolean many = map || symbol.type.tsym.flatName().toString().startsWith("java.util.")
                    && task.getTypes().isSubtype(task.getTypes().erasure(type), task.getTypes().erasure(task.getElements().getTypeElement("java.lang.Iterable").asType()));
            if (many && !type.getTypeArguments().isEmpty()) element = type.getTypeArguments().last();
        }
        if (element == null || !(element.tsym instanceof ClassSymbol one) || !unitOf.containsKey(one)) return null;
        String simple = one.name.toString();
        if (!table.contains(simple)) return null;
        boolean same = name.equals(small(simple)) || table.contains(simple + " " + name);
        return same && !name.endsWith("s") ? plural(name) : null;
    }

    static String safe(String name) {
        return javax.lang.model.SourceVersion.isKeyword(name) ? null : name;
    }

    Symbol root(Symbol symbol) {
        Symbol at = symbol;
        while (groups.containsKey(at)) at = groups.get(at);
        return at;
    }

    void join(Symbol a, Symbol b) {
        Symbol one = root(a);
        Symbol two = root(b);
        if (one != two) groups.put(one, two);
    }

    void decideMembers() {
        Map<Symbol, String> wishes = new IdentityHashMap<>();
        Set<String> names = new HashSet<>();
        for (Map.Entry<Symbol, JCTree> declared : declarations.entrySet()) {
            Symbol symbol = declared.getKey();
            String wish = null;
            if (symbol.owner instanceof ClassSymbol owner) {
                for (ClassSymbol at = owner; at != null && wish == null; at = at.owner instanceof ClassSymbol up ? up : null) {
                    if (at == owner) wish = members.get(flat(at) + "#" + symbol.name);
                }
            }
            if (wish == null && symbol instanceof VarSymbol variable) wish = follows(symbol.name.toString(), variable.type, 0);
            if (wish == null && symbol instanceof MethodSymbol method && !method.isConstructor()) {
                wish = follows(symbol.name.toString(), method.getReturnType(), 0);
            }
            if (wish == null && (symbol instanceof VarSymbol || symbol instanceof MethodSymbol)) {
                wish = several(symbol.name.toString(), symbol instanceof MethodSymbol method ? method.getReturnType() : symbol.type);
            }
            if (wish != null && !wish.contentEquals(symbol.name)) {
                wishes.put(symbol, wish);
                names.add(symbol.name.toString());
            }
        }
        var elements = task.getElements();
        // Methods that override each other go together.
        for (ClassSymbol symbol : List.copyOf(unitOf.keySet())) {
            Map<String, List<MethodSymbol>> byName = new HashMap<>();
            for (Element element : elements.getAllMembers(symbol)) {
                if (element instanceof MethodSymbol method && !method.isStatic() && !method.isConstructor()) {
                    byName.computeIfAbsent(method.name.toString(), n -> new ArrayList<>()).add(method);
                }
            }
            for (Type above : closure(symbol)) {
                for (Symbol member : above.tsym.members().getSymbols()) {
                    if (member instanceof MethodSymbol method && !method.isStatic() && !method.isConstructor()) {
                        for (MethodSymbol mine : byName.getOrDefault(method.name.toString(), List.of())) {
                            if (mine != method && elements.overrides(mine, method, symbol)) join(mine, method);
                        }
                    }
                }
            }
        }
        Map<Symbol, List<Symbol>> together = new IdentityHashMap<>();
        for (Symbol symbol : groups.keySet()) together.computeIfAbsent(root(symbol), r -> new ArrayList<>(List.of(r))).add(symbol);
        // Record components: field, accessor and parameters of the canonical constructor are one name.
        Map<Symbol, Set<Symbol>> components = new IdentityHashMap<>();
        for (ClassSymbol symbol : unitOf.keySet()) {
            if ((symbol.flags() & Flags.RECORD) == 0) continue;
            for (Symbol.RecordComponent component : symbol.getRecordComponents()) {
                Set<Symbol> all = Collections.newSetFromMap(new IdentityHashMap<>());
                for (Symbol member : symbol.members().getSymbolsByName(component.name)) {
                    if (member instanceof VarSymbol || member instanceof MethodSymbol m && m.params().isEmpty()) all.add(member);
                }
                for (Symbol member : symbol.members().getSymbols()) {
                    if (member instanceof MethodSymbol m && m.isConstructor() && canonical(symbol, m)) {
                        for (VarSymbol parameter : m.params()) if (parameter.name == component.name) all.add(parameter);
                        if (declarations.get(m) instanceof JCMethodDecl tree) {
                            for (JCVariableDecl parameter : tree.params) if (parameter.name == component.name && parameter.sym != null) all.add(parameter.sym);
                        }
                    }
                }
                for (Symbol one : all) components.put(one, all);
            }
        }
        Set<Symbol> done = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Symbol symbol : wishes.keySet()) {
            if (!done.add(symbol)) continue;
            Set<Symbol> all = Collections.newSetFromMap(new IdentityHashMap<>());
            grow(symbol, all, together, components);
            done.addAll(all);
            String wish = wishes.get(symbol);
            String problem = problem(all, wish, wishes);
            if (problem != null && !(symbol instanceof ClassSymbol)) {
                longForms = true;
                Map<Symbol, String> longer = new IdentityHashMap<>();
                for (Symbol one : all) {
                    Type type = one instanceof MethodSymbol method ? method.getReturnType() : one.type;
                    String name = follows(one.name.toString(), type, 0);
                    if (name != null) longer.put(one, name);
                }
                longForms = false;
                String other = longer.get(symbol);
                if (other != null && !other.equals(wish)) {
                    wish = other;
                    problem = problem(all, other, longer);
                }
            }
            if (problem != null) {
                notes.add("kept " + where(symbol) + " (" + wish + "): " + problem);
                continue;
            }
            for (Symbol one : all) newNames.put(one, wish);
        }
    }

    String problem(Set<Symbol> all, String wish, Map<Symbol, String> wishes) {
        for (Symbol one : all) {
            String other = wishes.get(one);
            if (other != null && !other.equals(wish)) return "wishes differ: " + other;
            if (one.owner instanceof ClassSymbol && !ours(one) && one instanceof MethodSymbol) return "not ours: " + one.owner;
            String problem = conflict(one, wish);
            if (problem != null) return problem;
        }
        return null;
    }

    String where(Symbol symbol) {
        return (symbol.owner instanceof ClassSymbol owner ? flat(owner) : top(symbol) + "/" + symbol.owner.name) + "#" + symbol.name;
    }

    void grow(Symbol symbol, Set<Symbol> all, Map<Symbol, List<Symbol>> together, Map<Symbol, Set<Symbol>> components) {
        if (!all.add(symbol)) return;
        for (Symbol other : together.getOrDefault(root(symbol), List.of())) grow(other, all, together, components);
        for (Symbol other : components.getOrDefault(symbol, Set.of())) grow(other, all, together, components);
    }

    boolean canonical(ClassSymbol record, MethodSymbol constructor) {
        var components = record.getRecordComponents();
        if (constructor.params().size() != components.size()) return false;
        for (int i = 0; i < components.size(); i++) {
            if (constructor.params().get(i).name != components.get(i).name) return false;
        }
        return true;
    }

    List<Type> closure(ClassSymbol symbol) {
        List<Type> all = new ArrayList<>();
        List<Type> todo = new ArrayList<>(List.of(symbol.type));
        Set<Symbol> seen = new HashSet<>();
        while (!todo.isEmpty()) {
            Type at = todo.removeLast();
            if (at == null || at.tsym == null || !seen.add(at.tsym) || !(at.tsym instanceof ClassSymbol c)) continue;
            if (at.tsym != symbol) all.add(at);
            todo.addAll(c.getInterfaces());
            if (c.getSuperclass() != null) todo.add(c.getSuperclass());
        }
        return all;
    }

    String conflict(Symbol symbol, String wish) {
        if (symbol instanceof MethodSymbol method) {
            ClassSymbol owner = (ClassSymbol) method.owner;
            for (Element element : task.getElements().getAllMembers(owner)) {
                if (element instanceof MethodSymbol other && other.name.contentEquals(wish) && other.params().size() == method.params().size()) {
                    return "there is " + other.owner + "#" + other;
                }
            }
            return null;
        }
        JCCompilationUnit unit = declaredIn.get(symbol);
        if (unit != null && declaredVariables.get(unit).contains(wish)) {
            // The same word for something else in this file.
            return "the file has a variable " + wish;
        }
        return null;
    }

    // ---- What is written

    void rewrite(JCCompilationUnit unit) {
        String text = texts.get(unit);
        Map<Integer, Edit> changes = edits.get(unit);
        EndPosTable ends = unit.endPositions;
        ClassSymbol main = mainClass(unit);
        String here = main == null ? "" : packageOf(main);
        String old = main == null ? "" : main.packge().fullname.toString();
        Set<String> imported = new HashSet<>();
        Map<String, ClassSymbol> simple = new HashMap<>();
        List<JCFieldAccess> qualified = new ArrayList<>();
        Set<String> nestedNames = new HashSet<>();
        Set<String> foreignNames = new HashSet<>();
        if (unit.getPackage() != null && !here.equals(old)) {
            int at = TreeInfo.getStartPos(unit.getPackage().pid);
            put(changes, at, at + old.length(), here);
        }
        new TreeScanner() {
            @Override
            public void visitImport(JCImport tree) {
                JCFieldAccess whole = tree.qualid;
                JCTree named = tree.staticImport ? whole.selected : whole;
                if (symbolOf(named) instanceof ClassSymbol symbol && ours(symbol)) {
                    String full = newFull(symbol);
                    if (!tree.staticImport && full.equals(here + "." + newSimple(symbol))) {
                        int from = TreeInfo.getStartPos(tree);
                        int to = text.indexOf('\n', from) + 1;
                        put(changes, from, to, "");
                    } else {
                        put(changes, TreeInfo.getStartPos(named), TreeInfo.endPos(named) == -1 ? end(named) : end(named), full);
                        if (!tree.staticImport) imported.add(full);
                    }
                    if (tree.staticImport) {
                        for (Symbol member : symbol.members().getSymbolsByName(whole.name)) {
                            String fresh = newNames.get(member.baseSymbol());
                            if (fresh != null) put(changes, end(whole) - whole.name.length(), end(whole), fresh);
                        }
                    }
                } else if (!tree.staticImport) {
                    foreignNames.add(whole.name.toString());
                }
            }

            int end(JCTree tree) {
                return tree.getEndPosition(ends);
            }

            @Override
            public void visitIdent(JCIdent tree) {
                Symbol symbol = tree.sym == null ? null : tree.sym.baseSymbol();
                if (symbol instanceof ClassSymbol type && ours(type) && type.owner instanceof Symbol.PackageSymbol) {
                    simple.put(newSimple(type), type);
                } else if (symbol instanceof ClassSymbol type) {
                    nestedNames.add(newSimple(type));
                }
                seen(symbol);
                named(symbol, tree.name.toString(), tree.pos);
            }

            @Override
            public void visitSelect(JCFieldAccess tree) {
                Symbol symbol = tree.sym == null ? null : tree.sym.baseSymbol();
                if (symbol instanceof ClassSymbol type && ours(type) && symbolOf(tree.selected) instanceof Symbol.PackageSymbol) {
                    if (end(tree) > 0) qualified.add(tree); // trees that the compiler made for records have no end
                    seen(symbol);
                    return;
                }
                seen(symbol);
                int at = end(tree) - tree.name.length();
                named(symbol, tree.name.toString(), at);
                super.visitSelect(tree);
            }

            @Override
            public void visitReference(JCMemberReference tree) {
                Symbol symbol = tree.sym == null ? null : tree.sym.baseSymbol();
                seen(symbol);
                if (symbol != null && !symbol.isConstructor()) named(symbol, tree.name.toString(), end(tree) - tree.name.length());
                super.visitReference(tree);
            }

            @Override
            public void visitNewClass(JCNewClass tree) {
                if (tree.constructor != null) seen(tree.constructor.baseSymbol());
                super.visitNewClass(tree);
            }

            @Override
            public void visitClassDef(JCClassDecl tree) {
                if (tree.sym != null && !tree.name.isEmpty()) {
                    if (tree.sym.owner instanceof ClassSymbol) nestedNames.add(newSimple(tree.sym));
                    String fresh = newNames.get(tree.sym);
                    if (fresh != null) {
                        Matcher name = Pattern.compile("\\b" + tree.name + "\\b").matcher(text);
                        if (name.find(tree.pos)) put(changes, name.start(), name.end(), fresh);
                    }
                }
                super.visitClassDef(tree);
            }

            @Override
            public void visitMethodDef(JCMethodDecl tree) {
                if (tree.sym != null && (tree.mods.flags & Flags.GENERATEDCONSTR) == 0) {
                    if (tree.sym.isConstructor()) {
                        String fresh = newNames.get(tree.sym.owner);
                        if (fresh != null) named(tree.sym.owner, tree.sym.owner.name.toString(), tree.pos);
                    } else {
                        named(tree.sym, tree.name.toString(), tree.pos);
                    }
                }
                super.visitMethodDef(tree);
            }

            @Override
            public void visitVarDef(JCVariableDecl tree) {
                named(tree.sym, tree.name.toString(), tree.pos);
                super.visitVarDef(tree);
            }

            void named(Symbol symbol, String name, int at) {
                String fresh = symbol == null ? null : newNames.get(symbol);
                if (fresh == null || at < 0 || !text.startsWith(name, at)) return;
                if (!(symbol instanceof ClassSymbol)) memberWords.get(unit).put(name, fresh);
                put(changes, at, at + name.length(), fresh);
            }

            /// Whether what is used here can be seen from the package that this file goes to.
            void seen(Symbol symbol) {
                if (symbol == null || !ours(symbol) || symbol instanceof Symbol.PackageSymbol) return;
                if (!(symbol instanceof ClassSymbol) && !(symbol.owner instanceof ClassSymbol)) return;
                if (packageOf(symbol).equals(here)) return;
                long flags = symbol.flags();
                if ((flags & (Flags.PUBLIC | Flags.PRIVATE)) == 0) widened.add(symbol);
            }
        }.scan(unit);
        Set<String> fresh = new TreeSet<>();
        for (JCFieldAccess tree : qualified) {
            ClassSymbol type = (ClassSymbol) tree.sym;
            String name = newSimple(type);
            ClassSymbol bound = simple.get(name);
            boolean free = (bound == null || bound == type) && !nestedNames.contains(name) && !foreignNames.contains(name) && !samePackage(here, name, type) && !javaLang(name);
            if (free) {
                simple.put(name, type);
                put(changes, TreeInfo.getStartPos(tree), tree.getEndPosition(ends), name);
            } else {
                put(changes, TreeInfo.getStartPos(tree), tree.getEndPosition(ends), newFull(type));
            }
        }
        for (ClassSymbol type : simple.values()) {
            if (!packageOf(type).equals(here) && imported.stream().noneMatch(i -> i.equals(newFull(type)))) fresh.add(newFull(type));
        }
        if (!fresh.isEmpty() && unit.getPackage() != null) {
            int at = text.indexOf('\n', unit.getPackage().getEndPosition(ends) - 1) + 1;
            put(changes, at, at, fresh.stream().map(f -> "\nimport " + f + ";").collect(Collectors.joining()) + "\n");
        }
        comments(unit, text, changes, simple, old);
    }

    boolean javaLang(String name) {
        return task.getElements().getTypeElement("java.lang." + name) != null;
    }

    boolean samePackage(String here, String name, ClassSymbol type) {
        for (ClassSymbol other : unitOf.keySet()) {
            if (other != type && other.owner instanceof Symbol.PackageSymbol && newSimple(other).equals(name) && packageOf(other).equals(here)) return true;
        }
        return false;
    }

    Symbol symbolOf(JCTree tree) {
        return TreeInfo.symbol(tree);
    }

    static void put(Map<Integer, Edit> changes, int from, int to, String text) {
        Edit before = changes.put(from, new Edit(from, to, text));
        if (before != null && (before.to != to || !before.text.equals(text))) {
            if (before.to == from && to != from) changes.put(from, new Edit(from, to, before.text + text));
            else throw new IllegalStateException("two edits at " + from + ": " + before + " and " + text);
        }
    }

    ClassSymbol mainClass(JCCompilationUnit unit) {
        for (JCTree tree : unit.defs) if (tree instanceof JCClassDecl type && type.sym != null) return type.sym;
        return null;
    }

    static final Pattern NAMED = Pattern.compile(
            "(?<=[\\[`])([A-Z][A-Za-z0-9]*)(?=[\\]`#.(\\[<])|(?<=@link )([A-Z][A-Za-z0-9]*)|(?<=@see )([A-Z][A-Za-z0-9]*)|(?<=@throws )([A-Z][A-Za-z0-9]*)|(?<=[#`\\[]|@param )([a-z][A-Za-z0-9]*)(?=[`\\](]| )");

    void comments(JCCompilationUnit unit, String text, Map<Integer, Edit> changes, Map<String, ClassSymbol> simple, String old) {
        Map<String, ClassSymbol> scope = new HashMap<>();
        for (ClassSymbol symbol : unitOf.keySet()) {
            if (symbol.owner instanceof Symbol.PackageSymbol && symbol.packge().fullname.contentEquals(old)) scope.put(symbol.name.toString(), symbol);
        }
        for (JCTree tree : unit.defs) {
            if (tree instanceof JCImport one && !one.staticImport && symbolOf(one.qualid) instanceof ClassSymbol symbol) scope.put(symbol.name.toString(), symbol);
        }
        for (ClassSymbol symbol : unitOf.keySet()) if (unitOf.get(symbol) == unit) scope.put(symbol.name.toString(), symbol);
        for (int[] comment : commentRanges(text)) {
            Matcher named = NAMED.matcher(text).region(comment[0], comment[1]).useTransparentBounds(true);
            while (named.find()) {
                String word = named.group();
                String fresh = null;
                if (Character.isUpperCase(word.charAt(0))) {
                    ClassSymbol symbol = scope.containsKey(word) ? scope.get(word) : unique(word);
                    fresh = symbol == null ? null : newNames.get(symbol);
                } else {
                    fresh = memberWords.get(unit).get(word);
                }
                if (fresh != null) put(changes, named.start(), named.end(), fresh);
            }
        }
    }

    Map<String, List<ClassSymbol>> byWord;

    ClassSymbol unique(String word) {
        if (byWord == null) {
            byWord = new HashMap<>();
            for (ClassSymbol symbol : unitOf.keySet()) byWord.computeIfAbsent(symbol.name.toString(), w -> new ArrayList<>()).add(symbol);
        }
        List<ClassSymbol> all = byWord.getOrDefault(word, List.of());
        return all.size() == 1 ? all.getFirst() : null;
    }

    static List<int[]> commentRanges(String text) {
        List<int[]> ranges = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            if (text.startsWith("//", at)) {
                int end = text.indexOf('\n', at);
                end = end < 0 ? text.length() : end;
                ranges.add(new int[] {at, end});
                at = end;
            } else if (text.startsWith("/*", at)) {
                int end = text.indexOf("*/", at + 2) + 2;
                ranges.add(new int[] {at, end});
                at = end;
            } else if (text.startsWith("\"\"\"", at)) {
                at += 3;
                while (!text.startsWith("\"\"\"", at)) at += text.charAt(at) == '\\' ? 2 : 1;
                at += 3;
            } else if (text.charAt(at) == '"' || text.charAt(at) == '\'') {
                char quote = text.charAt(at++);
                while (text.charAt(at) != quote) at += text.charAt(at) == '\\' ? 2 : 1;
                at++;
            } else {
                at++;
            }
        }
        return ranges;
    }

    // ---- What must be seen from other packages now

    void widen() {
        Set<Symbol> all = Collections.newSetFromMap(new IdentityHashMap<>());
        Map<Symbol, List<Symbol>> together = new IdentityHashMap<>();
        for (Symbol symbol : groups.keySet()) together.computeIfAbsent(root(symbol), r -> new ArrayList<>(List.of(r))).add(symbol);
        for (Symbol symbol : widened) {
            all.add(symbol);
            all.addAll(together.getOrDefault(root(symbol), List.of()));
            if (symbol instanceof ClassSymbol type && (type.flags() & Flags.RECORD) != 0) {
                for (Symbol member : type.members().getSymbols()) {
                    if (member instanceof MethodSymbol m && m.isConstructor() && canonical(type, m)) all.add(m);
                }
            }
        }
        for (Symbol symbol : all) {
            JCTree tree = declarations.get(symbol);
            JCCompilationUnit unit = declaredIn.get(symbol);
            if (tree == null || (symbol.flags() & Flags.PUBLIC) != 0) continue;
            if (symbol.owner instanceof ClassSymbol owner && owner.isInterface()) continue;
            JCModifiers mods = TreeInfo.getModifiers(tree) == null ? modifiers(tree) : TreeInfo.getModifiers(tree);
            String text = texts.get(unit);
            int at = TreeInfo.getStartPos(tree);
            if (mods != null) {
                for (JCAnnotation annotation : mods.annotations) at = Math.max(at, annotation.getEndPosition(unit.endPositions));
            }
            while (Character.isWhitespace(text.charAt(at))) at++;
            if (symbol instanceof VarSymbol && (symbol.owner.flags() & Flags.RECORD) != 0 && !symbol.isStatic()) continue;
            Edit there = edits.get(unit).get(at);
            if (text.startsWith("protected ", at)) continue;
            if (there != null && there.text.startsWith("public ")) continue;
            edits.get(unit).put(at, there == null ? new Edit(at, at, "public ") : new Edit(at, there.to, "public " + there.text));
        }
    }

    JCModifiers modifiers(JCTree tree) {
        return switch (tree) {
            case JCClassDecl type -> type.mods;
            case JCMethodDecl method -> method.mods;
            case JCVariableDecl variable -> variable.mods;
            default -> null;
        };
    }

    void write() throws Exception {
        Map<Path, Path> moves = new LinkedHashMap<>();
        for (JCCompilationUnit unit : units) {
            Path file = Path.of(unit.getSourceFile().toUri());
            StringBuilder text = new StringBuilder(texts.get(unit));
            List<Edit> all = new ArrayList<>(edits.get(unit).values());
            for (Edit edit : all.reversed()) text.replace(edit.from, edit.to, edit.text);
            if (!text.toString().contentEquals(texts.get(unit))) Files.writeString(file, text);
            ClassSymbol main = mainClass(unit);
            if (main == null) continue;
            for (JCTree tree : unit.defs) {
                if (tree instanceof JCClassDecl type && (type.name + ".java").equals(file.getFileName().toString())) main = type.sym;
            }
            moved(moves, file, main.packge().fullname.toString(), packageOf(main), newSimple(main) + ".java");
        }
        for (Path file : tracked()) {
            if (!file.endsWith("package-info.java")) continue;
            String text = Files.readString(file);
            Matcher named = Pattern.compile("(?m)^package ([a-z.]+);").matcher(text);
            if (!named.find()) continue;
            String fresh = movedPackage(named.group(1));
            Files.writeString(file, text.substring(0, named.start(1)) + fresh + text.substring(named.end(1)));
            moved(moves, file, named.group(1), fresh, "package-info.java");
        }
        // Packages that become one have one description: the first.
        Set<Path> targets = new HashSet<>();
        for (Path file : List.copyOf(moves.keySet())) {
            if (!targets.add(moves.get(file))) {
                git("rm", "-q", "-f", file.toString());
                moves.remove(file);
            }
        }
        for (Path file : moves.keySet()) git("mv", file.toString(), file + ".moving");
        for (Map.Entry<Path, Path> move : moves.entrySet()) {
            Files.createDirectories(move.getValue().getParent());
            git("mv", move.getKey() + ".moving", move.getValue().toString());
        }
    }

    void moved(Map<Path, Path> moves, Path file, String oldPackage, String newPackage, String name) {
        String folder = file.getParent().toString();
        String old = oldPackage.replace('.', '/');
        if (!folder.endsWith(old)) return;
        Path target = Path.of(folder.substring(0, folder.length() - old.length()) + newPackage.replace('.', '/'), name);
        if (!target.equals(file)) moves.put(file, target);
    }

    static void git(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(words));
        Process git = new ProcessBuilder(command).directory(ROOT.toFile()).redirectErrorStream(true).start();
        String out = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (git.waitFor() != 0) throw new IllegalStateException(command + ": " + out);
    }

    // ---- Names in strings, scripts and documents

    void texts() throws IOException {
        Map<String, String> full = new TreeMap<>(Collections.reverseOrder());
        for (ClassSymbol symbol : unitOf.keySet()) {
            if (!(symbol.owner instanceof Symbol.PackageSymbol)) continue;
            if (!flat(symbol).equals(newFull(symbol))) full.put(flat(symbol), newFull(symbol));
        }
        Map<String, String> folders = new TreeMap<>(Collections.reverseOrder());
        packages.forEach((old, fresh) -> {
            if (!old.equals(fresh)) folders.put(old, fresh);
        });
        Map<String, List<ClassSymbol>> words = new HashMap<>();
        for (ClassSymbol symbol : unitOf.keySet()) words.computeIfAbsent(symbol.name.toString(), w -> new ArrayList<>()).add(symbol);
        Pattern dotted = Pattern.compile("dev([./])fusebox(?:\\1[a-z]+)*(?:\\1[A-Z][A-Za-z0-9]*)?");
        Pattern ticked = Pattern.compile("(?<=[`])([A-Z][A-Za-z0-9]*)(?=[`#.(])");
        for (Path file : tracked()) {
            String name = file.toString();
            if (!name.matches(".*(\\.(java|md|xml|json|txt|sh|bash|py|mjs|properties|yml)|/fusebox|/run)$")) continue;
            if (name.endsWith("CHANGELOG.md") || name.contains("/conventions/rename/")) continue;
            String text = Files.readString(file);
            String fresh = dotted.matcher(text).replaceAll(m -> {
                String sep = m.group(1);
                String word = m.group().replace(sep, ".");
                if (full.containsKey(word)) return full.get(word).replace(".", sep);
                for (Map.Entry<String, String> folder : folders.entrySet()) {
                    if (word.equals(folder.getKey()) || word.startsWith(folder.getKey() + ".")) {
                        return (folder.getValue() + word.substring(folder.getKey().length())).replace(".", sep);
                    }
                }
                return Matcher.quoteReplacement(m.group());
            });
            if (name.endsWith(".md")) {
                fresh = ticked.matcher(fresh).replaceAll(m -> {
                    List<ClassSymbol> all = words.getOrDefault(m.group(), List.of());
                    String better = all.size() == 1 ? newNames.get(all.getFirst()) : null;
                    if (all.size() > 1 && all.stream().anyMatch(newNames::containsKey)) notes.add("ambiguous in " + ROOT.relativize(file) + ": " + m.group());
                    return better == null ? m.group() : better;
                });
            }
            if (!fresh.equals(text)) Files.writeString(file, fresh);
        }
    }
}
