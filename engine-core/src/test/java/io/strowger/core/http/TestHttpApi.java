package io.strowger.core.http;

import io.strowger.core.access.TrustedProxies;
import io.strowger.core.administration.AccountState;
import io.strowger.core.attempt.EndlessSleepAmbient;
import io.strowger.core.authentication.Caller;
import io.strowger.core.batch.Batches;
import io.strowger.core.cache.CacheOptions;
import io.strowger.core.config.BatchSettings;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.IpNetwork;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.core.destination.Broadcaster;
import io.strowger.core.destination.Destinations;
import io.strowger.core.destination.Exporters;
import io.strowger.core.destination.NoTransport;
import io.strowger.core.inference.Inference;
import io.strowger.core.inference.PriceQuotes;
import io.strowger.core.inference.Replies;
import io.strowger.core.inference.Reply;
import io.strowger.core.inference.TokenCounts;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.ledger.BookLedger;
import io.strowger.core.limit.Rates;
import io.strowger.core.memory.MemoryStores;
import io.strowger.core.overload.AdmissionControl;
import io.strowger.core.overload.OverloadLimits;
import io.strowger.core.preset.Preset;
import io.strowger.core.preset.PresetDirectory;
import io.strowger.core.store.StoreWatch;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonLimits;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.limit.RateLimiter;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Stores;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The HTTP API for tests, over an engine whose reply the test sets. */
final class TestHttpApi implements Inference {
  static final String CHAT_BODY = "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
  static final int LIMIT = 200;
  private static final int LARGE_LIMIT = 10_000;

  /** The network of the trusted proxies. */
  private static final IpNetwork PROXIES = Objects.requireNonNull(IpNetwork.parse("10.0.0.0/8"));

  /** A body that fails the test when it is read. */
  static final InputStream UNREAD_BODY =
      new InputStream() {
        @Override
        public int read() {
          throw new AssertionError("the body was read");
        }
      };

  final List<InferenceRequest> served = new ArrayList<>();
  final List<Cancellation> cancellations = new ArrayList<>();
  final List<@Nullable CacheOptions> cacheOptions = new ArrayList<>();
  RateLimiter limiter = RateLimiter.NONE;
  Supplier<Reply> reply =
      () ->
          Replies.answered(
              new Event.TextDelta("hello"), new Event.Finished(StopReason.END, "stop", null));

  final Map<String, Preset> presets = new HashMap<>();

  /** The types of those tools of the gateway that a plugin runs. */
  final Set<String> tools = new HashSet<>();

  final PresetDirectory directory;
  final TestAmbient ambient = TestAmbient.at(Instant.ofEpochSecond(Replies.CREATED + 2).toString());
  final Stores stores;
  final BookLedger ledger;
  final AccountState account;
  final AdmissionControl admission = new AdmissionControl(OverloadLimits.NONE, ambient);
  private final HttpApi api;

  TestHttpApi() {
    this(new EarlyHeadPolicy(TestAmbient.realTime(), null));
  }

  /** Returns an API that accepts larger bodies. */
  static TestHttpApi withLargeBodies() {
    return new TestHttpApi(
        new EarlyHeadPolicy(TestAmbient.realTime(), null), new MemoryStores(), LARGE_LIMIT);
  }

  /** Creates another node on the same stores. */
  TestHttpApi(TestHttpApi other) {
    this(new EarlyHeadPolicy(TestAmbient.realTime(), null), other.stores, LARGE_LIMIT);
  }

  TestHttpApi(EarlyHeadPolicy earlyHeadPolicy) {
    this(earlyHeadPolicy, new MemoryStores(), LIMIT);
  }

  TestHttpApi(Stores stores) {
    this(new EarlyHeadPolicy(TestAmbient.realTime(), null), stores, LIMIT);
  }

  private TestHttpApi(EarlyHeadPolicy earlyHeadPolicy, Stores sharedStores, int bodyBytes) {
    stores = sharedStores;
    var watch = new StoreWatch(stores.documents(), ambient);
    account =
        AccountState.open(
            watch, ambient, new AccountState.Secrets(this::bytes, SecretKeySource.NONE), config());
    directory = new PresetDirectory(watch, ambient);
    var destinations =
        new Destinations(watch, account.cipher(), Exporters.NONE, new JacksonCodec(), ambient);
    ledger = new BookLedger(stores.ledger(), new EndlessSleepAmbient(ambient));
    api =
        new HttpApi(
            new Authentication(account.authenticator(), new TrustedProxies(List.of(PROXIES))),
            this,
            new JacksonCodec(JsonLimits.DEFAULT),
            new WireLimits(bodyBytes, 2 * bodyBytes, 2, 3, rates(), admission),
            plugins(),
            (workspace, slug) ->
                presets.containsKey(slug)
                    ? presets.get(slug)
                    : directory.findActive(workspace, slug),
            earlyHeadPolicy,
            new ResourceServices(
                stores,
                watch,
                account,
                ledger,
                ambient,
                directory,
                (caller, request, decoding, cancellation) -> new TokenCounts.Count(1, false),
                new Batches(
                    stores.batches(),
                    account,
                    free(),
                    ambient,
                    new BatchSettings(0, Duration.ofMinutes(1), 0.5, Duration.ofDays(30), 100)),
                destinations,
                new Broadcaster(destinations, new NoTransport(), ambient),
                () -> null));
  }

  /** Returns quotes in which everything is free, at alpha. */
  private static PriceQuotes free() {
    return new PriceQuotes() {
      @Override
      public Quote of(Caller caller, InferenceRequest request) {
        return new Quote(Charge.ZERO, Charge.ZERO, "alpha");
      }

      @Override
      public @Nullable GatewayError shortfall(Caller caller, Charge all) {
        return null;
      }

      @Override
      public boolean isExhausted(Caller caller) {
        return false;
      }
    };
  }

  private Rates rates() {
    return new Rates((subject, at) -> limiter.admit(subject, at), ambient, List.of(), List.of());
  }

  private PluginChecks plugins() {
    return new PluginChecks() {
      @Override
      public void check(PluginEntry entry, JsonPointer at, Problems problems) {}

      @Override
      public Set<String> toolTypes() {
        return Set.copyOf(tools);
      }
    };
  }

  /** Returns pseudo-random bytes, since no test depends on unpredictable secrets. */
  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i += Long.BYTES) {
      ByteBuffer.wrap(bytes).putLong(i, ambient.seed());
    }
    return bytes;
  }

  private static GatewayConfig config() {
    return ConfigReader.standard()
        .read(
            """
            {"providers": [{"slug": "alpha", "protocol": "simulated", "base_url": "http://alpha.test"}],
             "models": [{"id": "acme/large", "endpoints": [{"provider": "alpha"}]}],
             "keys": [{"name": "app", "key": "sk-app"},
                      {"name": "admin", "key": "sk-admin", "management": true}]}
            """
                .getBytes(StandardCharsets.UTF_8))
        .orThrow();
  }

  @Override
  public PendingCall begin(
      Caller caller, DecodedRequest decodedRequest, Cancellation cancellation) {
    served.add(decodedRequest.request());
    cacheOptions.add(decodedRequest.cacheOptions());
    cancellations.add(cancellation);
    return new PendingCall() {
      @Override
      public String id() {
        return Replies.ID;
      }

      @Override
      public Reply reply() {
        return reply.get();
      }
    };
  }

  private record Headers(Map<String, String> sent) implements WireRequest.Headers {
    @Override
    public @Nullable String first(String name) {
      return sent.get(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public List<String> all(String name) {
      String only = first(name);
      return only == null ? List.of() : List.of(only);
    }
  }

  /** Builds and sends a request. */
  final class RequestBuilder {
    private final String method;
    private final String path;
    private final Map<String, String> headers = new HashMap<>();
    private final Cancellation cancellation = new Cancellation();
    private String query = "";
    private @Nullable InetAddress client;
    private InputStream body = InputStream.nullInputStream();

    private RequestBuilder(String method, String path) {
      this.method = method;
      this.path = path;
    }

    RequestBuilder header(String name, String value) {
      headers.put(name.toLowerCase(Locale.ROOT), value);
      return this;
    }

    RequestBuilder query(String raw) {
      query = raw;
      return this;
    }

    RequestBuilder key(String key) {
      return header("Authorization", "Bearer " + key);
    }

    /** Sends the request through a trusted proxy, which names its client. */
    RequestBuilder proxied() {
      return from(PROXIES.address()).header("X-Forwarded-For", "198.51.100.1");
    }

    /**
     * @param address the client's address; null when it is not known
     */
    RequestBuilder from(@Nullable InetAddress address) {
      client = address;
      return this;
    }

    RequestBuilder body(String text) {
      return body(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    RequestBuilder body(InputStream stream) {
      body = stream;
      return this;
    }

    WireResponse send() {
      return api.handle(
          new WireRequest(method, path, query, new Headers(headers), body, cancellation, client));
    }
  }

  RequestBuilder call(String method, String path) {
    return new RequestBuilder(method, path);
  }

  /** Returns a chat request with a valid key. */
  RequestBuilder chat(String body) {
    return call("POST", "/chat/completions").key("sk-app").body(body);
  }

  static String text(WireResponse response) {
    var out = new ByteArrayOutputStream();
    try (WireBody body = response.body()) {
      while (body.writeNext(out)) {
        // until everything is written
      }
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  static Json.Obj json(WireResponse response) {
    return json(text(response));
  }

  static Json.Obj json(String text) {
    try {
      return (Json.Obj) new JacksonCodec().parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException wrong) {
      throw new IllegalArgumentException(text, wrong);
    }
  }

  /** Returns {@code error.message} of the contract's envelope. */
  static @Nullable String message(WireResponse response) {
    Json.Obj error = json(response).object("error");
    return error == null ? null : error.text("message");
  }
}
