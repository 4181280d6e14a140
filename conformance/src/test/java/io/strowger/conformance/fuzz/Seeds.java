package io.strowger.conformance.fuzz;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The documents from which a target makes its inputs: the files in its folder of inputs whose names
 * begin with {@code valid}. All member names and values in them serve as a dictionary.
 */
final class Seeds {
  private final Map<String, Json.Obj> documents = new TreeMap<>();
  private final Map<String, List<Json>> byName = new TreeMap<>();
  private final List<String> names;

  /**
   * Reads the seeds of a target.
   *
   * @param target the test class, which names the folder
   */
  Seeds(Class<?> target) {
    for (Path file : files(target)) {
      String name = file.getFileName().toString();
      if (name.startsWith("valid")) {
        documents.put(name, read(file));
      }
    }
    if (documents.isEmpty()) {
      throw new IllegalStateException("no valid seed for " + target.getSimpleName());
    }
    documents.values().forEach(this::harvest);
    names = List.copyOf(byName.keySet());
  }

  private static List<Path> files(Class<?> target) {
    String folder = target.getSimpleName() + "Inputs";
    URI found =
        URI.create(
            Objects.requireNonNull(target.getResource(folder), "no folder " + folder).toString());
    try (Stream<Path> files = Files.list(Path.of(found))) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Json.Obj read(Path file) {
    try {
      return (Json.Obj) new JacksonCodec().parse(Files.readAllBytes(file)).detached();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (MalformedJsonException e) {
      throw new IllegalStateException(file + " " + e.getMessage(), e);
    }
  }

  private void harvest(Json json) {
    if (json instanceof Json.Arr items) {
      items.forEach(this::harvest);
    } else if (json instanceof Json.Obj object) {
      for (int i = 0; i < object.size(); i++) {
        List<Json> known = byName.computeIfAbsent(object.name(i), name -> new ArrayList<>());
        if (!known.contains(object.value(i))) {
          known.add(object.value(i));
        }
        harvest(object.value(i));
      }
    }
  }

  /** Returns the documents by the names of their files. */
  Map<String, Json.Obj> documents() {
    return documents;
  }

  /** Returns the names of all members. */
  List<String> names() {
    return names;
  }

  /** Returns all values of members with this name; empty when there are none. */
  List<Json> valuesOf(String name) {
    return byName.getOrDefault(name, List.of());
  }
}
