package io.strowger.core.registry;

import static io.strowger.tck.Given.catalog;
import static io.strowger.tck.Given.endpoint;

import io.strowger.core.config.Plugins;
import io.strowger.core.routing.RouterStep;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.routing.ModelRef;
import io.strowger.tck.Given;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** Routers, interceptors and requests for the tests of plugins prepared for a catalog. */
final class PluginFixtures {
  static final Field<Long> DEPTH = Fields.integer("depth", 1, 99, 1L, "doc");
  static final Field<Long> WIDTH = Fields.integer("width", 1, 99, 1L, "doc");
  static final Catalog CATALOG = catalog(endpoint("p", "acme/one", "1"));

  /** A router that keeps the settings and the catalog it was created with. */
  record Router(long depth, long width, Catalog catalog) implements RouterPlugin {
    @Override
    public Json facts(InferenceRequest request) {
      return Json.of(request.models().size());
    }

    @Override
    public Selection select(Candidates candidates) {
      return Selection.PASS;
    }
  }

  /** A provider that records how often, and for which catalogs, it creates its plugin. */
  static final class Provider implements PluginProvider {
    final Descriptor descriptor;
    final Set<Catalog> catalogs = new LinkedHashSet<>();
    final Function<PluginConfig, Plugin> factory;
    List<String> inheritsFrom = List.of();
    int createdCount;

    Provider(Descriptor descriptor, Function<PluginConfig, Plugin> factory) {
      this.descriptor = descriptor;
      this.factory = factory;
    }

    @Override
    public Descriptor descriptor() {
      return descriptor;
    }

    @Override
    public Plugin create(PluginConfig config, Catalog catalog) {
      createdCount++;
      catalogs.add(catalog);
      return factory.apply(config) instanceof Router r
          ? new Router(r.depth(), r.width(), catalog)
          : factory.apply(config);
    }

    @Override
    public List<String> inheritsDefaultsFrom() {
      return inheritsFrom;
    }
  }

  static Provider router(String id, int order, String... slugs) {
    return provider(
        id, order, config -> new Router(config.get(DEPTH), config.get(WIDTH), CATALOG), slugs);
  }

  static Provider provider(
      String id, int order, Function<PluginConfig, Plugin> factory, String... slugs) {
    return provider(Descriptor.router(id), order, factory, slugs);
  }

  static Provider interceptor(
      String id, int order, Function<PluginConfig, Plugin> factory, String... slugs) {
    return provider(Descriptor.interceptor(id), order, factory, slugs);
  }

  private static Provider provider(
      Descriptor.Builder descriptor,
      int order,
      Function<PluginConfig, Plugin> factory,
      String... slugs) {
    return new Provider(
        descriptor.version("7").order(order).fields(DEPTH, WIDTH).slugs(List.of(slugs)).build(),
        factory);
  }

  static Plugins plugins(PluginProvider... providers) {
    Plugins plugins = Plugins.none();
    for (PluginProvider provider : providers) {
      plugins = plugins.add(provider);
    }
    return plugins;
  }

  static PreparedPlugins prepare(Plugins plugins, PluginEntry... defaults) {
    return PluginRegistry.of(plugins).prepare(CATALOG, List.of(defaults));
  }

  static PluginEntry entry(String id, Json.Obj.Builder members) {
    Json.Obj config = members.put("id", id).build();
    return new PluginEntry(id, !Json.FALSE.equals(config.get("enabled")), config);
  }

  static Json.Obj.Builder depth(long depth) {
    return Json.object().put("depth", depth);
  }

  static InferenceRequest requestFor(String models, PluginEntry... entries) {
    return Given.request("x", "hello").toBuilder()
        .models(Arrays.stream(models.split(" ")).map(ModelRef::parse).toList())
        .plugins(List.of(entries))
        .build();
  }

  static Router routerOf(PreparedPlugins prepared, RouterStep step) {
    return (Router) Objects.requireNonNull(prepared.find(step));
  }

  private PluginFixtures() {}
}
