package io.strowger.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The modules of this project, as they are on the class path of the tests. */
final class Modules {
  /** The published modules that have a descriptor, each with the directory that it is built in. */
  static final Map<String, String> DIRECTORIES =
      Map.ofEntries(
          Map.entry("io.strowger.spi", "engine-spi"),
          Map.entry("io.strowger.core", "engine-core"),
          Map.entry("io.strowger.tck", "engine-tck"),
          Map.entry("io.strowger.providers", "providers"),
          Map.entry("io.strowger.simulated", "adapters/simulated"),
          Map.entry("io.strowger.plugins", "plugins-builtin"),
          Map.entry("io.strowger.stores", "stores"),
          Map.entry("io.strowger.destinations", "adapters/destinations"),
          Map.entry("io.strowger.telemetry", "adapters/telemetry"),
          Map.entry("io.strowger.typed", "adapters/typed"),
          Map.entry("io.strowger.servlet", "adapters/servlet"),
          Map.entry("io.strowger.spring", "adapters/spring-boot-starter"),
          Map.entry("io.strowger.langchain4j", "adapters/langchain4j"),
          Map.entry("io.strowger.springai", "adapters/spring-ai"));

  private Modules() {}

  /**
   * Returns the root of the project. Tests run either there or in the directory of their module.
   */
  static Path root() {
    Path here = Path.of("").toAbsolutePath();
    return Files.exists(here.resolve("engine-spi")) ? here : here.resolve("..").normalize();
  }

  /**
   * Returns everything on the class path that can be a module, including libraries, by its name.
   */
  static Map<String, ModuleReference> onTheClassPath() throws IOException {
    var places = new LinkedHashSet<Path>();
    for (String file : List.of("module-info.class", "META-INF/MANIFEST.MF")) {
      for (URL found : Collections.list(Modules.class.getClassLoader().getResources(file))) {
        if (found.openConnection() instanceof JarURLConnection jar) {
          places.add(Path.of(URI.create(jar.getJarFileURL().toString())));
        } else if (found.getProtocol().equals("file") && file.equals("module-info.class")) {
          places.add(Path.of(URI.create(found.toString())).getParent());
        }
      }
    }
    var modules = new TreeMap<String, ModuleReference>();
    for (Path place : places) {
      try {
        ModuleFinder.of(place)
            .findAll()
            .forEach(module -> modules.putIfAbsent(module.descriptor().name(), module));
      } catch (FindException unnameable) {
        continue; // a library for tests that cannot be a module
      }
    }
    return modules;
  }

  /** Returns the modules of this project, by the directory each is built in. */
  static Map<String, ModuleReference> ours() throws IOException {
    Map<String, ModuleReference> all = onTheClassPath();
    var ours = new TreeMap<String, ModuleReference>();
    DIRECTORIES.forEach(
        (name, directory) -> {
          ModuleReference module = all.get(name);
          if (module == null) {
            throw new AssertionError(directory + " has no module " + name);
          }
          ours.put(directory, module);
        });
    return ours;
  }

  /** Returns the names of all files of a module, sorted. */
  static List<String> files(ModuleReference module) {
    try (ModuleReader reader = module.open();
        var names = reader.list()) {
      return new ArrayList<>(names.sorted().toList());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
