package dev.fusebox.conventions;

import java.io.IOException;
import java.io.StringReader;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/// The rules for POMs: every version is a property of the root POM, and nowhere else. Stateless.
final class PomRules {
    private PomRules() {}

    /// A module contains the version of its parent and no other. Only for the path of an annotation processor does
    /// Maven not manage the version; there a module refers to the property of the root.
    static Stream<String> versionsInAModule(String name, String pom) {
        return versions(pom)
                .filter(version -> !parentOf(version).equals("parent"))
                .filter(version -> !parentOf(version).equals("path") || !isProperty(version))
                .map(version -> name + ": the version " + version.getTextContent() + " of a " + parentOf(version)
                        + " belongs in the root POM");
    }

    /// The root contains its own version; all others are properties.
    static Stream<String> versionsOutsideTheProperties(String name, String pom) {
        return versions(pom)
                .filter(version -> !parentOf(version).equals("project") && !isRuleOfTheEnforcer(version))
                .filter(version -> !isProperty(version))
                .map(version -> name + ": the version " + version.getTextContent() + " of a " + parentOf(version)
                        + " belongs in the properties");
    }

    /// A module folder that the root does not build would never be checked.
    static Stream<String> modulesNotBuilt(String rootPom, Stream<ModuleFolder> folders) {
        var built = elements(rootPom, "module").map(Element::getTextContent).toList();
        return folders.map(ModuleFolder::name)
                .filter(name -> !built.contains(name))
                .map(name -> name + " has a POM, but the root POM does not build it");
    }

    private static boolean isProperty(Element version) {
        return version.getTextContent().matches("\\$\\{[\\w.-]+}");
    }

    /// `requireJavaVersion` takes a range, which is not a version of a dependency.
    private static boolean isRuleOfTheEnforcer(Element version) {
        return parentOf(version).startsWith("require");
    }

    private static Stream<Element> versions(String pom) {
        return elements(pom, "version");
    }

    private static String parentOf(Element element) {
        return element.getParentNode().getNodeName();
    }

    private static Stream<Element> elements(String pom, String name) {
        NodeList nodes = parse(pom).getElementsByTagName(name);
        return IntStream.range(0, nodes.getLength()).mapToObj(nodes::item).map(Element.class::cast);
    }

    private static Document parse(String pom) {
        try {
            return DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(pom)));
        } catch (ParserConfigurationException | SAXException | IOException e) {
            throw new IllegalArgumentException("cannot be parsed: " + pom, e);
        }
    }
}
