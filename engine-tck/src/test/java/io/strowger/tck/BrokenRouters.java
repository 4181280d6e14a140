package io.strowger.tck;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.plugin.UsableEndpoint;
import java.io.File;
import java.net.MalformedURLException;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;

/** A correct router, and many that each break the contract in one way. */
final class BrokenRouters {
  private static final String CHEAPEST = "the cheapest";

  private BrokenRouters() {}

  static RouterPluginContract contract(RouterPlugin router) {
    return new RouterContract(new Provider(router));
  }

  private record Provider(Plugin plugin) implements PluginProvider {
    @Override
    public Descriptor descriptor() {
      return Descriptor.router("broken").order(5).slug("acme/broken").build();
    }

    @Override
    public Plugin create(PluginConfig config, Catalog catalog) {
      return plugin;
    }
  }

  /** Chooses the cheapest model, and the first by id among equals, as the contract demands. */
  static Selection cheapest(Candidates candidates) {
    int best = -1;
    for (int i = 0; i < candidates.size(); i++) {
      if (candidates.isUsable(i) && (best < 0 || before(candidates, i, best))) {
        best = i;
      }
    }
    return best < 0 ? Selection.refusal("nothing is left") : model(candidates, best);
  }

  private static Selection model(Candidates candidates, int model) {
    return new Selection.Models(List.of(candidates.model(model).id()), CHEAPEST);
  }

  private static boolean before(Candidates candidates, int one, int other) {
    long price = candidates.blendedPrice(one);
    long others = candidates.blendedPrice(other);
    return price < others
        || price == others
            && candidates.model(one).id().compareTo(candidates.model(other).id()) < 0;
  }

  static final class CorrectRouter implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return cheapest(candidates);
    }
  }

  /** Throws at the first endpoint that is down. */
  static final class ExpectsHealth implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      for (int i = 0; i < candidates.size(); i++) {
        for (UsableEndpoint endpoint : candidates.endpoints(i)) {
          if (endpoint.health().status() == UsableEndpoint.Status.DOWN) {
            throw new IllegalStateException("no word for " + endpoint.health().status());
          }
        }
      }
      return cheapest(candidates);
    }
  }

  /** A provider of a router and of a tool that uses the network. */
  private record ProviderOfTools(Plugin plugin) implements PluginProvider {
    @Override
    public Descriptor descriptor() {
      return Descriptor.router("broken").order(5).slug("acme/broken").build();
    }

    @Override
    public Plugin create(PluginConfig config, Catalog catalog) {
      return plugin;
    }

    @Override
    public List<ServerTool> tools() {
      try {
        return List.of(new BrokenTools.CallsServerByLibrary(server()));
      } catch (MalformedURLException e) {
        throw new IllegalStateException(e);
      }
    }

    private static URL server() throws MalformedURLException {
      var socket = new Socket(); // what a router must never do, and a tool may
      return URI.create("http://localhost:" + socket.getLocalPort()).toURL();
    }
  }

  static RouterPluginContract besideTools(RouterPlugin router) {
    return new RouterContract(new ProviderOfTools(router));
  }

  static final class ReadsClock implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return System.currentTimeMillis() < 0 ? Selection.PASS : cheapest(candidates);
    }
  }

  /** Reads the clock in another class, which it calls from a lambda. */
  static final class ReadsClockElsewhere implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return candidates.first(new int[0], c -> Hours.isNight(), "cheap") instanceof Selection.Models
          ? Selection.PASS
          : cheapest(candidates);
    }
  }

  static final class Hours {
    private Hours() {}

    static boolean isNight() {
      return Instant.now().getEpochSecond() % 86_400 < 21_600;
    }
  }

  static final class UsesRandomNumbers implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return ThreadLocalRandom.current().nextLong() == 0 ? Selection.PASS : cheapest(candidates);
    }
  }

  static final class ReadsFile implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return Files.exists(Path.of("/no/such/file")) ? Selection.PASS : cheapest(candidates);
    }
  }

  static final class OpensSocket implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      var socket = new Socket();
      return socket.isConnected() ? Selection.PASS : cheapest(candidates);
    }
  }

  static final class ExitsProcess implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      if (candidates.size() < 0) {
        System.exit(1);
      }
      return cheapest(candidates);
    }
  }

  static final class CallsByReflection implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      try {
        return Class.forName("java.lang.System") == null ? Selection.PASS : cheapest(candidates);
      } catch (ClassNotFoundException e) {
        return Selection.PASS;
      }
    }
  }

  static final class CountsInStaticField implements RouterPlugin {
    private static final AtomicInteger COUNT = new AtomicInteger();

    @Override
    public Selection select(Candidates candidates) {
      COUNT.incrementAndGet();
      return cheapest(candidates);
    }
  }

  static final class SortsInParallel implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return candidates.catalog().models().parallelStream().count() < 0
          ? Selection.PASS
          : cheapest(candidates);
    }
  }

  static final class LeavesThread implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      Thread.ofPlatform().daemon().name("refresher").start(BrokenRouters::linger);
      return cheapest(candidates);
    }
  }

  static final class LeavesVirtualThread implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      Thread.startVirtualThread(() -> linger());
      return cheapest(candidates);
    }
  }

  /** Sleeps for longer than the kit waits. */
  static void linger() {
    try {
      Thread.sleep(Duration.ofMinutes(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Matches all patterns again for each model. */
  static final class IsSlow implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      int found = 0;
      for (int i = 0; i < candidates.size(); i++) {
        found += candidates.matching(List.of("author1/*", "author*/*:free")).contains(i) ? 1 : 0;
      }
      return found < 0 ? Selection.PASS : cheapest(candidates);
    }
  }

  static final class WaitsForOther implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      try {
        Thread.sleep(Duration.ofMillis(2));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return cheapest(candidates);
    }
  }

  /** Calls a library that reads a file. */
  static final class ReadsFileByLibrary implements RouterPlugin {
    private final File file;

    ReadsFileByLibrary(File file) {
      this.file = file;
    }

    @Override
    public Selection select(Candidates candidates) {
      return Assertions.contentOf(file, StandardCharsets.UTF_8).equals("pass")
          ? Selection.PASS
          : cheapest(candidates);
    }
  }

  static final class ChoosesUnusable implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return candidates.size() == 0 ? Selection.PASS : model(candidates, 0);
    }
  }

  static final class ChoosesUnusableEndpoint implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      var ids = new ArrayList<String>();
      for (int i = 0; i < candidates.size(); i++) {
        if (candidates.isUsable(i)) {
          candidates.model(i).endpoints().forEach(endpoint -> ids.add(endpoint.id()));
        }
      }
      return ids.isEmpty() ? Selection.PASS : new Selection.Endpoints(ids, "all of them");
    }
  }

  static final class ChoosesUnknown implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return new Selection.Models(List.of("no/such"), CHEAPEST);
    }
  }

  static final class ChoosesTwice implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return cheapest(candidates) instanceof Selection.Models one
          ? new Selection.Models(List.of(one.ids().getFirst(), one.ids().getFirst()), CHEAPEST)
          : Selection.PASS;
    }
  }

  static final class Alternates implements RouterPlugin {
    private final AtomicInteger decisions = new AtomicInteger();

    @Override
    public Selection select(Candidates candidates) {
      return decisions.incrementAndGet() % 2 == 0 ? Selection.PASS : cheapest(candidates);
    }
  }

  static final class RecordsPrompt implements RouterPlugin {
    @Override
    public Json facts(InferenceRequest request) {
      return Json.of(Given.lastText(request));
    }

    @Override
    public Selection select(Candidates candidates) {
      return cheapest(candidates);
    }
  }

  static final class TakesFirstOfCatalog implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      for (int i = 0; i < candidates.size(); i++) {
        if (candidates.isUsable(i)) {
          return model(candidates, i);
        }
      }
      return Selection.PASS;
    }
  }

  static final class NeedsItsFacts implements RouterPlugin {
    @Override
    public Json facts(InferenceRequest request) {
      return Json.object().put("task", "code").build();
    }

    @Override
    public Selection select(Candidates candidates) {
      if (((Json.Obj) candidates.facts()).text("task") == null) {
        throw new IllegalStateException("no task in the facts");
      }
      return cheapest(candidates);
    }
  }
}
