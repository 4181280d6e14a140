package io.strowger.core.decisionlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.Given;
import io.strowger.tck.ScriptedProvider;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The decision log of a gateway")
class GatewayLogTest {
  private static final String PROMPT = "xyzzy-the-prompt";
  private static final String CONFIG =
      """
      { "providers": [
          { "slug": "alpha", "protocol": "simulated", "base_url": "http://127.0.0.1:1/address",
            "api_key": "sk-upstream-secret", "headers": { "X-Own": "header-secret" } },
          { "slug": "beta", "protocol": "simulated", "base_url": "http://127.0.0.1:1/address" } ],
        "models": [
          { "id": "acme/large", "endpoints": [ { "provider": "alpha" }, { "provider": "beta" } ] } ],
        "keys": [ { "name": "app", "key": "sk-app-secret" } ],
        "byok_keys": [ { "id": "k1", "provider": "alpha", "key": "sk-own-secret" } ] }
      """;

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final List<ScriptedProvider> providers = new ArrayList<>();

  private final class ScriptedFactory implements ProviderFactory {
    @Override
    public String protocol() {
      return "simulated";
    }

    @Override
    public ChatProvider create(ProviderSettings settings) {
      var provider = new ScriptedProvider(ambient);
      providers.add(provider);
      return provider;
    }
  }

  private static GatewayConfig config() {
    return ConfigReader.standard().read(CONFIG.getBytes(StandardCharsets.UTF_8)).orThrow();
  }

  private Gateway.Builder builder() {
    return Gateway.builder(config()).provider(new ScriptedFactory()).ambient(ambient);
  }

  private Gateway gateway(DecisionLog log) {
    return builder().decisions(log).build();
  }

  private static int ask(Gateway gateway, String members) throws Exception {
    String body =
        """
        { "messages": [ { "role": "user", "content": "%s" } ], "user": "%s", %s }
        """
            .formatted(PROMPT, PROMPT, members);
    WireResponse response =
        gateway
            .wire()
            .handle(
                new WireRequest(
                    "POST",
                    "/chat/completions",
                    "",
                    name -> name.equalsIgnoreCase("Authorization") ? "Bearer sk-app-secret" : null,
                    new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
                    new Cancellation()));
    try (WireBody answer = response.body()) {
      answer.transferTo(new ByteArrayOutputStream());
    }
    return response.status();
  }

  /**
   * Logs three requests: one that every provider refuses, one without an allowed provider, and one
   * for an unknown model.
   */
  private byte[] logOfThreeRequests() throws Exception {
    var out = new ByteArrayOutputStream();
    try (var log = DecisionLogWriter.toStream(out, 100, ambient);
        Gateway gateway = gateway(log)) {
      providers.forEach(
          provider -> provider.alwaysRefuses(Failure.of(FailureKind.OVERLOADED, PROMPT)));
      assertThat(ask(gateway, "\"model\": \"acme/large\"")).isEqualTo(503);
      assertThat(ask(gateway, "\"model\": \"acme/large\", \"provider\": {\"only\": [\"nobody\"]}"))
          .isEqualTo(404);
      assertThat(ask(gateway, "\"model\": \"acme/nothing\"")).isEqualTo(400);
    }
    ambient.assertNoThreadsLeft();
    return out.toByteArray();
  }

  @Test
  @DisplayName("has every decision with its ending, and replays without differences")
  void complete() throws Exception {
    byte[] log = logOfThreeRequests();
    List<LogItem.DecisionItem> decisions = TestLogs.decisions(log);
    assertThat(decisions).hasSize(3);
    LogItem.DecisionItem exhausted = decisions.get(0);
    assertThat(exhausted.plan()).isInstanceOf(LoggedPlan.Attempts.class);
    assertThat(exhausted.ending().outcome()).isEqualTo(CallRecord.Outcome.ERROR);
    assertThat(exhausted.ending().attempts())
        .isNotEmpty()
        .allSatisfy(
            fact ->
                assertThat(((TraceEntry.Attempted) fact).failure())
                    .isEqualTo(FailureKind.OVERLOADED));
    assertThat(decisions.get(1).plan()).isInstanceOf(LoggedPlan.NoRoute.class);
    assertThat(decisions.get(2).ending().error()).isEqualTo(ErrorCode.MODEL_NOT_FOUND);

    TestLogs.Replayed replayed = TestLogs.replay(log, ReplayRouters.NONE);
    assertThat(replayed.findings()).isEmpty();
    assertThat(replayed.result().identical()).isEqualTo(3);
  }

  @Test
  @DisplayName("can be a file that the gateway opens, appends to and closes itself")
  void ownFile(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("decisions.log");
    for (int i = 0; i < 2; i++) {
      try (Gateway gateway = builder().decisionFile(file).build()) {
        assertThat(ask(gateway, "\"model\": \"acme/nothing\"")).isEqualTo(400);
      }
      ambient.assertNoThreadsLeft();
    }
    assertThat(TestLogs.decisions(Files.readAllBytes(file))).hasSize(2);
  }

  @Test
  @DisplayName("cannot be a file with other content, and then leaves no thread running")
  void foreignFile(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("letter.txt"), "Dear all, this is no log.");
    Gateway.Builder builder = builder().decisionFile(file);
    assertThatThrownBy(builder::build)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("cannot log decisions to a file");
    ambient.assertNoThreadsLeft();
    assertThat(file).hasContent("Dear all, this is no log.");
  }

  @Test
  @DisplayName("is closed if the gateway cannot be built")
  void refusedConfiguration(@TempDir Path folder) throws Exception {
    Gateway.Builder builder =
        Gateway.builder(config()).ambient(ambient).decisionFile(folder.resolve("decisions.log"));
    assertThatThrownBy(builder::build).isInstanceOf(GatewayException.class);
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("contains no prompt, credential, header or address")
  void secrets() throws Exception {
    String text = text(logOfThreeRequests());
    assertThat(text)
        .contains("acme/large", "\"k1\"", "OVERLOADED")
        .doesNotContain(PROMPT, "secret", "127.0.0.1");
  }

  /** Returns the decompressed contents of all records of a log. */
  private static String text(byte[] log) throws Exception {
    var frames = new FrameReader(new ByteArrayInputStream(log));
    var text = new StringBuilder();
    byte @Nullable [] dictionary = null;
    FrameReader.Part part;
    while ((part = frames.next()) != null) {
      var frame = (FrameReader.Part.Frame) part;
      boolean catalog = frame.kind() == LogFrame.Kind.CATALOG;
      byte[] content =
          catalog || dictionary == null
              ? ContentCompressor.decompress(frame.content(), CatalogLogStates.HASH_BYTES)
              : ContentCompressor.decompress(
                  frame.content(), CatalogLogStates.HASH_BYTES, dictionary);
      if (catalog) {
        String dictionaryText = ((Json.Obj) new JacksonCodec().parse(content)).text("dictionary");
        dictionary =
            dictionaryText == null ? null : dictionaryText.getBytes(StandardCharsets.UTF_8);
      }
      text.append(new String(content, StandardCharsets.UTF_8)).append('\n');
    }
    return text.toString();
  }

  @Test
  @DisplayName("that throws changes no answer")
  void failing() throws Exception {
    try (Gateway gateway =
        gateway(
            decision -> {
              throw new IllegalStateException("thrown by the log");
            })) {
      providers.forEach(provider -> provider.answers(Given.answer("Hello")));
      assertThat(ask(gateway, "\"model\": \"acme/large\"")).isEqualTo(200);
      assertThat(ask(gateway, "\"model\": \"acme/nothing\"")).isEqualTo(400);
    }
  }

  @Test
  @DisplayName("receives each answered request once, after its end")
  void answered() throws Exception {
    var decisions = new ArrayList<LoggedDecision>();
    try (Gateway gateway = gateway(decisions::add)) {
      providers.forEach(provider -> provider.answers(Given.answer("Hello")));
      assertThat(ask(gateway, "\"model\": \"acme/large\"")).isEqualTo(200);
    }
    assertThat(decisions).hasSize(1);
    assertThat(decisions.get(0).id()).startsWith("gen-");
    assertThat(decisions.get(0).ending().outcome()).isEqualTo(CallRecord.Outcome.COMPLETE);
    assertThat(decisions.get(0).ending().error()).isNull();
    assertThat(decisions.get(0).ending().attempts()).hasSize(1);
  }
}
