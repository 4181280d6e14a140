package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.host.Main;
import java.io.InputStream;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The modules of the Java platform")
class ModulesTest {
  private static final String SERVICES = "META-INF/services/";

  /**
   * Returns the classes that the service files of a module name, by service. The files serve the
   * class path.
   */
  private static Map<String, List<String>> serviceFiles(ModuleReference module) throws Exception {
    var named = new TreeMap<String, List<String>>();
    try (ModuleReader reader = module.open()) {
      for (String file : Modules.files(module)) {
        if (file.startsWith(SERVICES) && !file.endsWith("/")) {
          try (InputStream in = reader.open(file).orElseThrow()) {
            named.put(
                file.substring(SERVICES.length()),
                new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
          }
        }
      }
    }
    return named;
  }

  private static Map<String, List<String>> provided(ModuleDescriptor module) {
    return module.provides().stream()
        .collect(
            Collectors.toMap(
                ModuleDescriptor.Provides::service,
                ModuleDescriptor.Provides::providers,
                (one, other) -> one,
                TreeMap::new));
  }

  @Test
  @DisplayName("provide what META-INF/services names, in the same order")
  void services() throws Exception {
    for (var module : Modules.ours().entrySet()) {
      assertThat(provided(module.getValue().descriptor()))
          .as(module.getKey())
          .isEqualTo(serviceFiles(module.getValue()));
    }
  }

  @Test
  @DisplayName(
      "of the engine export only the gateway, its client, the configuration and the HTTP surface")
  void publicPackagesOfTheEngine() throws Exception {
    assertThat(exported(Objects.requireNonNull(Modules.ours().get("engine-core")).descriptor()))
        .containsExactly(
            "io.strowger.core",
            "io.strowger.core.client",
            "io.strowger.core.config",
            "io.strowger.core.wire");
  }

  @Test
  @DisplayName("have all their public packages compared with the last release")
  void apiHistory() throws Exception {
    String pom = Files.readString(Modules.root().resolve("pom.xml"));
    var packages = new TreeSet<String>();
    for (ModuleReference module : Modules.ours().values()) {
      packages.addAll(exported(module.descriptor()));
    }
    assertThat(
            Pattern.compile("<include>(io\\.strowger[\\w.]*)</include>")
                .matcher(pom)
                .results()
                .map(found -> found.group(1)))
        .containsExactlyElementsOf(packages);
  }

  private static Set<String> exported(ModuleDescriptor module) {
    return module.exports().stream()
        .filter(exports -> !exports.isQualified())
        .map(ModuleDescriptor.Exports::source)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  @DisplayName("export to other modules of this project only what those use")
  void noUnusedExports() throws Exception {
    for (var module : Modules.ours().entrySet()) {
      for (ModuleDescriptor.Exports exports : module.getValue().descriptor().exports()) {
        for (String to : exports.targets()) {
          assertThat(classFiles(to))
              .as("%s is exported to %s, which uses none of it", exports.source(), to)
              .anyMatch(text -> text.contains(exports.source().replace('.', '/') + "/"));
        }
      }
    }
  }

  /** Returns the class files of a module as text, in which the names of other classes occur. */
  private static List<String> classFiles(String name) throws Exception {
    ModuleReference module =
        name.equals("io.strowger.host") // whose jar has no descriptor
            ? ModuleFinder.of(
                    Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI()))
                .findAll()
                .iterator()
                .next()
            : Objects.requireNonNull(Modules.ours().get(Modules.DIRECTORIES.get(name)));
    var classes = new ArrayList<String>();
    try (ModuleReader reader = module.open()) {
      for (String file : Modules.files(module)) {
        if (file.endsWith(".class") && !file.equals("module-info.class")) {
          try (InputStream in = reader.open(file).orElseThrow()) {
            classes.add(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
          }
        }
      }
    }
    return classes;
  }

  @Test
  @DisplayName("can be put on the module path, where the engine finds protocols and plugins")
  void modulePath() throws Exception {
    Set<String> roots =
        Set.of(
            "io.strowger.core",
            "io.strowger.providers",
            "io.strowger.simulated",
            "io.strowger.plugins",
            "io.strowger.stores",
            "io.strowger.destinations",
            "io.strowger.typed");
    Configuration resolved =
        ModuleLayer.boot()
            .configuration()
            .resolveAndBind(finderOf(roots), ModuleFinder.of(), roots);
    ModuleLayer layer =
        ModuleLayer.boot()
            .defineModulesWithOneLoader(resolved, ClassLoader.getPlatformClassLoader());
    for (String directory : List.of("providers", "plugins-builtin", "adapters/destinations")) {
      ModuleReference module = Objects.requireNonNull(Modules.ours().get(directory));
      for (var service : provided(module.descriptor()).entrySet()) {
        Class<?> type = layer.findLoader("io.strowger.spi").loadClass(service.getKey());
        getClass().getModule().addUses(type);
        assertThat(ServiceLoader.load(layer, type).stream().map(found -> found.type().getName()))
            .containsExactlyInAnyOrderElementsOf(service.getValue());
        assertThat(ServiceLoader.load(layer, type)).hasSameSizeAs(service.getValue());
      }
    }
    Class<?> gateway = layer.findLoader("io.strowger.core").loadClass("io.strowger.core.Gateway");
    assertThat(gateway.getModule().isNamed()).isTrue();
  }

  /**
   * Returns a finder of these modules and of what they need on the class path. It finds no other
   * libraries without a descriptor, since with one of those all others take part that can be found.
   */
  private static ModuleFinder finderOf(Set<String> roots) throws Exception {
    Map<String, ModuleReference> available = Modules.onTheClassPath();
    var paths = new ArrayList<Path>();
    var seen = new TreeSet<String>();
    var open = new ArrayDeque<>(roots);
    while (!open.isEmpty()) {
      ModuleReference module = available.get(open.remove());
      if (module != null && seen.add(module.descriptor().name())) {
        paths.add(Path.of(module.location().orElseThrow()));
        module.descriptor().requires().stream()
            .filter(needs -> !needs.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
            .forEach(needs -> open.add(needs.name()));
      }
    }
    return ModuleFinder.of(paths.toArray(Path[]::new));
  }
}
