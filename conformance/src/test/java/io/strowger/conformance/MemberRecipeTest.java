package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireResponse;
import io.strowger.providers.responses.OpenAiResponsesFactory;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("The recipe that adds a member to a body")
class MemberRecipeTest {
  /** Follows CONTRIBUTING: {@code mood} is for upstreams, {@code house_note} is for the gateway. */
  private static SourceEdits editedSources() throws IOException {
    var sources = new SourceEdits();
    // Step 1: two lines in the table of ChatDecoder; MessagesDecoder and ResponsesDecoder have
    // their own tables
    String table = "io.strowger.core.dialect.chat.ChatDecoder";
    sources.insertBefore(
        table,
        ".optional(\"include_reasoning\"",
        """
        .optional("house_note", string())
        .optional("mood", wordAmong("calm", "bold").orNull(), uses(MOOD))\
        """);
    // Step 2: a Parameter, which marks the line; PublicApiTest would require a line for it
    sources.insertBefore("io.strowger.spi.catalog.Parameter", "VERBOSITY;", "MOOD,");
    sources.insertBefore(
        table,
        "import static io.strowger.spi.catalog.Parameter.PREDICTION;",
        "import static io.strowger.spi.catalog.Parameter.MOOD;");
    // Step 3: read in ChatParameters, written in TranslatedResponsesBody; TranslatedChatBody,
    // TranslatedMessagesBody and GenerationConfigWriter have no member for it and report a loss
    sources.insertBefore(
        "io.strowger.spi.model.ChatParameters", "Parameter.VERBOSITY,", "Parameter.MOOD,");
    sources.insertBefore(
        "io.strowger.providers.responses.TranslatedResponsesBody",
        "case VERBOSITY -> {",
        """
        case MOOD -> {
          if (accepts(name)) {
            body.put(name, value);
          }
        }\
        """);
    // Step 4: members that only the gateway reads are in GatewayMembers
    sources.insertBefore(
        "io.strowger.core.attempt.GatewayMembers", "\"provider\",", "\"house_note\",");
    return sources;
  }

  @Test
  @Tag("full")
  @DisplayName(
      "adds members that are checked, required of endpoints, translated, or kept from upstreams")
  void effect() throws Exception {
    // Step 5: what is accepted and what is refused; the seeds of ChatFuzz would have both
    // members
    List<String> results = editedSources().run(MoodCalls.class);
    assertThat(results.get(0)).contains("\"mood\":\"calm\"").doesNotContain("house_note", "secret");
    assertThat(results.get(1)).startsWith("200 ");
    assertThat(results.get(2)).startsWith("400 ").contains("/mood", "must be one of calm, bold");
    assertThat(results.get(3)).startsWith("404 ").contains("mood");
  }

  @Test
  @DisplayName("edits sources at places that exist exactly once")
  void places() throws IOException {
    assertThat(editedSources()).isNotNull();
  }

  /** Calls a gateway whose upstream has another dialect. */
  static final class MoodCalls implements Callable<List<String>> {
    private static final String KEY = "sk-app-0123456789abcdef0123456789abcdef";
    private static final String CONFIG =
        """
        { "providers": [ { "slug": "alpha", "name": "Alpha", "protocol": "openai-responses",
                           "base_url": "https://alpha.example/v1", "api_key": "sk-upstream" } ],
          "models": [
            { "id": "acme/large", "endpoints": [ { "provider": "alpha", "upstream_model": "large",
              "pricing": { "prompt": "0.000001", "completion": "0.000002" } } ] },
            { "id": "acme/plain", "endpoints": [ { "provider": "alpha", "upstream_model": "plain",
              "supported_parameters": [ "temperature" ],
              "pricing": { "prompt": "0.000001", "completion": "0.000002" } } ] } ],
          "keys": [ { "name": "app", "key": "%s" } ] }
        """;

    private final List<String> results = new ArrayList<>();

    @Override
    public List<String> call() throws IOException {
      var config =
          new ConfigReader(new JacksonCodec(), name -> null)
              .read(CONFIG.formatted(KEY).getBytes(StandardCharsets.UTF_8))
              .orThrow();
      try (Gateway gateway =
          Gateway.builder(config).provider(new OpenAiResponsesFactory(new Upstream())).build()) {
        ask(gateway, "acme/large", "'mood':'calm','house_note':'secret'");
        ask(gateway, "acme/large", "'mood':'wild'");
        ask(gateway, "acme/plain", "'mood':'bold','provider':{'require_parameters':true}");
      }
      return results;
    }

    private void ask(Gateway gateway, String model, String members) throws IOException {
      String body =
          "{'model':'%s','messages':[{'role':'user','content':'Hello'}],%s}"
              .formatted(model, members)
              .replace('\'', '"');
      WireResponse response =
          gateway.serve(
              KEY, Dialect.CHAT, body.getBytes(StandardCharsets.UTF_8), new Cancellation());
      var out = new ByteArrayOutputStream();
      try (WireBody answer = response.body()) {
        answer.transferTo(out);
      }
      results.add(response.status() + " " + out.toString(StandardCharsets.UTF_8));
    }

    /** Records what it is sent, and answers. */
    private final class Upstream implements Transport {
      @Override
      public Response send(Request request) {
        byte[] body = request.body() == null ? new byte[0] : request.body().toByteArray();
        results.add(new String(body, StandardCharsets.UTF_8));
        return new Reply();
      }

      @Override
      public void close() {}
    }

    private static final class Reply implements Transport.Response {
      private static final String ANSWER =
          """
          {"id":"resp_1","object":"response","status":"completed","model":"large","output":[
           {"type":"message","id":"msg_1","role":"assistant","status":"completed",
            "content":[{"type":"output_text","text":"Hello","annotations":[]}]}],
           "usage":{"input_tokens":3,"output_tokens":2,"total_tokens":5}}
          """;

      @Override
      public int status() {
        return 200;
      }

      @Override
      public @Nullable String header(String name) {
        return name.equalsIgnoreCase("content-type") ? "application/json" : null;
      }

      @Override
      public InputStream body() {
        return new ByteArrayInputStream(ANSWER.getBytes(StandardCharsets.UTF_8));
      }

      @Override
      public void close() {}
    }
  }
}
