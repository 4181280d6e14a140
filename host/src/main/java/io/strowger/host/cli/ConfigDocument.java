package io.strowger.host.cli;

import io.strowger.spi.error.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The content of a configuration file as JSON: a file whose name ends in {@code .yaml} or {@code
 * .yml} is YAML, every other one is JSON.
 *
 * @param content the JSON, in UTF-8
 * @param yaml the YAML that the JSON was made from, with its line numbers; null for a JSON file
 */
record ConfigDocument(byte[] content, @Nullable YamlDocument yaml) {
  /**
   * Reads a file.
   *
   * @throws CommandException when it cannot be read
   * @throws YamlDocument.UnreadableException when its name is that of a YAML file and its content
   *     is not valid YAML
   */
  static ConfigDocument read(Path file) throws CommandException, YamlDocument.UnreadableException {
    byte[] content;
    try {
      content = Files.readAllBytes(file);
    } catch (IOException e) {
      throw CommandException.unreadable(file, e);
    }
    if (!isYaml(file)) {
      return new ConfigDocument(content, null);
    }
    YamlDocument yaml = YamlDocument.parse(content);
    return new ConfigDocument(yaml.json(), yaml);
  }

  /** Returns whether a file of this name is YAML. */
  static boolean isYaml(Path file) {
    Path fileName = file.getFileName();
    String name = fileName == null ? "" : fileName.toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".yaml") || name.endsWith(".yml");
  }

  /** Returns a copy of the JSON, which a reader may retain. */
  byte[] json() {
    return content.clone();
  }

  /** Returns the problems with their line numbers, where those are known. */
  List<Problem> withLines(List<Problem> problems) {
    YamlDocument lines = yaml;
    return lines == null ? problems : problems.stream().map(lines::withLine).toList();
  }
}
