package io.strowger.conformance.operations;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files of {@code host/container}, read as Docker reads them. */
final class ContainerFiles {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  static final Path FOLDER = ROOT.resolve("host/container");

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)(?::\\?[^}]*)?}");

  private ContainerFiles() {}

  /**
   * An instruction of the Dockerfile.
   *
   * @param name the name, such as {@code COPY}
   * @param text the rest of the line
   */
  record Instruction(String name, String text) {
    /** Returns the words of the JSON array in the text; null when it has none. */
    @Nullable List<String> words() {
      int begin = text.indexOf('[');
      if (begin < 0) {
        return null;
      }
      try {
        return List.of(new ObjectMapper().readValue(text.substring(begin), String[].class));
      } catch (IOException e) {
        throw new UncheckedIOException(name + " " + text, e);
      }
    }
  }

  /** Returns the text of a file. */
  static String text(String name) {
    try {
      return Files.readString(FOLDER.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the instructions of the Dockerfile, in order, without comments. */
  static List<Instruction> dockerfile() {
    var instructions = new ArrayList<Instruction>();
    String joined =
        text("Dockerfile").replaceAll("(?m)^\\s*#.*\n", "").replaceAll("\\\\\n\\s*", "");
    for (String line : joined.lines().filter(line -> !line.isBlank()).toList()) {
      int space = line.indexOf(' ');
      instructions.add(
          new Instruction(line.substring(0, space), line.substring(space + 1).strip()));
    }
    return instructions;
  }

  /** Returns the last instruction with this name. */
  static Instruction last(String name) {
    return dockerfile().stream()
        .filter(instruction -> instruction.name().equals(name))
        .reduce((earlier, later) -> later)
        .orElseThrow(() -> new IllegalStateException("the Dockerfile has no " + name));
  }

  /** Returns the command that the image runs when it is started with these arguments. */
  static List<String> command(List<String> arguments) {
    var command = new ArrayList<>(Objects.requireNonNull(last("ENTRYPOINT").words()));
    command.addAll(arguments);
    return command;
  }

  /** Returns the compose file, with its anchors and merges resolved. */
  static Map<String, Object> compose() {
    return object(new Yaml(new SafeConstructor(new LoaderOptions())).load(text("compose.yaml")));
  }

  /** Returns a service of the compose file. */
  static Map<String, Object> service(String name) {
    return object(object(compose().get("services")).get(name));
  }

  /**
   * Returns what a service has mounted at this path: a file beside the compose file, or a volume.
   */
  static String mounted(String service, String path) {
    return list(service(service).get("volumes")).stream()
        .map(volume -> volume.split(":"))
        .filter(parts -> parts[1].equals(path))
        .map(parts -> parts[0])
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(service + " has nothing mounted at " + path));
  }

  /** Returns the environment of a service, in which variables are replaced by these values. */
  static Map<String, String> environment(String service, Map<String, String> values) {
    var environment = new TreeMap<String, String>();
    object(service(service).get("environment"))
        .forEach((name, value) -> environment.put(name, resolved(String.valueOf(value), values)));
    return environment;
  }

  private static String resolved(String text, Map<String, String> values) {
    return VARIABLE
        .matcher(text)
        .replaceAll(found -> Objects.requireNonNull(values.get(found.group(1)), found.group(1)));
  }

  /** Returns the names of the variables in a text, which {@code .env} has to set. */
  static List<String> variables(String text) {
    return VARIABLE.matcher(text).results().map(found -> found.group(1)).distinct().toList();
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> object(@Nullable Object value) {
    return (Map<String, Object>) Objects.requireNonNull(value);
  }

  @SuppressWarnings("unchecked")
  static List<String> list(@Nullable Object value) {
    return (List<String>) Objects.requireNonNull(value);
  }
}
