package io.strowger.core;

import static io.strowger.tck.Given.usage;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;

import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.decisionlog.LoggedDecision;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RouterStep;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.tck.Step;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Two configurations, a and b, that differ in everything a request can see: addresses, what the
 * upstream calls the model, prices, how many endpoints there are and at which place. Whoever takes
 * part says which of the two it belongs to, and every mixture is noted.
 */
final class TwoCatalogs implements ProviderFactory, PluginProvider {
  static final String MODEL = "acme/large";

  /** What a token of the prompt costs, in dollars per million. */
  static final long PRICE_A = 1;

  static final long PRICE_B = 7;

  final GatewayConfig a = config("a", "", PRICE_A);
  final GatewayConfig b = config("b", model("acme/first", "b", PRICE_B) + ",", PRICE_B);
  final Queue<String> mixtures = new ConcurrentLinkedQueue<>();
  final AtomicInteger made = new AtomicInteger();
  private final Set<Adapter> open = ConcurrentHashMap.newKeySet();

  private static GatewayConfig config(String name, String more, long price) {
    String file =
        """
        { "providers": [
            { "slug": "alpha", "protocol": "openai-chat", "base_url": "http://127.0.0.1:1/%1$s" },
            { "slug": "beta", "protocol": "openai-chat", "base_url": "http://127.0.0.1:2/%1$s" } ],
          "models": [ %2$s %3$s ],
          "keys": [ { "name": "app", "key": "sk-app-0123456789", "management": false } ] }
        """
            .formatted(name, more, model(MODEL, name, price));
    return ConfigReader.standard().read(file.getBytes(StandardCharsets.UTF_8)).orThrow();
  }

  private static String model(String id, String upstream, long price) {
    return """
    { "id": "%1$s", "endpoints": [
        { "provider": "alpha", "upstream_model": "%2$s", "pricing": { "prompt": "0.00000%3$d" } },
        { "provider": "beta", "upstream_model": "%2$s", "pricing": { "prompt": "0.00000%3$d" } } ] }
    """
        .formatted(id, upstream, price);
  }

  int adaptersOpen() {
    return open.size();
  }

  /** What a decision was made from belongs together. */
  void check(LoggedDecision decision) {
    check(
        decision.catalog(),
        decision.statistics().size(),
        decision.query().catalogVersion(),
        decision.query().routers(),
        decision.plan());
  }

  void check(Routing.Explanation explained) {
    check(
        explained.catalog(),
        explained.statistics().size(),
        explained.query().catalogVersion(),
        explained.query().routers(),
        explained.plan());
  }

  private void check(
      Catalog catalog, int statistics, String asked, List<RouterStep> routers, RoutePlan plan) {
    same("query", catalog.version(), asked);
    same("statistics", catalog.endpoints().size(), statistics);
    same("routers", 1, routers.size());
    same("facts", Json.of(catalog.version()), routers.getFirst().facts());
    if (!(plan instanceof RoutePlan.Attempts attempts)) {
      mixtures.add("no way to go: " + plan);
      return;
    }
    for (PlannedAttempt candidate : attempts.candidates()) {
      var endpoint = candidate.endpoint();
      if (catalog.endpoints().get(endpoint.ordinal()) != endpoint) {
        mixtures.add(endpoint + " is not of " + catalog);
      }
    }
  }

  void same(String what, Object expected, Object found) {
    if (!expected.equals(found)) {
      mixtures.add(what + " of " + found + " where all is of " + expected);
    }
  }

  // the adapters

  @Override
  public String protocol() {
    return "openai-chat";
  }

  @Override
  public ChatProvider create(ProviderSettings settings) {
    var adapter = new Adapter(settings.baseUri().getPath().substring(1));
    made.incrementAndGet();
    open.add(adapter);
    return adapter;
  }

  @Override
  public void close() {}

  /** Answers with the name of its configuration. */
  final class Adapter implements ChatProvider {
    private final String name;

    Adapter(String name) {
      this.name = name;
    }

    @Override
    public EventStream open(Call call) {
      same("adapter", name, call.endpoint().upstreamModel());
      alive("opens a stream");
      var events = new ArrayList<Event>();
      for (Step step : List.of(text(name), text("."), finished())) {
        events.add(((Step.Emit) step).event());
      }
      events.add(2, new Event.UsageReport(usage(1_000_000, 0), null));
      return new Answering(EventStream.of(events), this);
    }

    void alive(String doing) {
      if (!open.contains(this)) {
        mixtures.add("an adapter of " + name + " " + doing + " after it was closed");
      }
    }

    @Override
    public Json body(Call call) {
      return Json.NULL;
    }

    @Override
    public void close() {
      open.remove(this);
    }
  }

  private record Answering(EventStream events, Adapter by) implements EventStream {
    @Override
    public @Nullable Event next() {
      by.alive("is read");
      return events.next();
    }

    @Override
    public boolean ready() {
      return true;
    }

    @Override
    public void close() {
      events.close();
    }
  }

  // the router

  @Override
  public Descriptor descriptor() {
    return Descriptor.router("witness").order(1).build();
  }

  @Override
  public Plugin create(PluginConfig config, Catalog catalog) {
    return new Witness(catalog);
  }

  private final class Witness implements RouterPlugin {
    private final Catalog catalog;

    Witness(Catalog catalog) {
      this.catalog = catalog;
    }

    @Override
    public Json facts(InferenceRequest request) {
      return Json.of(catalog.version());
    }

    @Override
    public Selection select(Candidates candidates) {
      same("facts", Json.of(catalog.version()), candidates.facts());
      same("models", catalog.models().size(), candidates.size());
      same("model", catalog.models().getFirst(), candidates.model(0));
      return Selection.PASS;
    }
  }
}
