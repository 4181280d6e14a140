package io.strowger.providers.images;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.translate.Losses;
import io.strowger.providers.upstream.OptionsMerger;
import io.strowger.providers.upstream.UnaryUpstreamClient;
import io.strowger.providers.upstream.UsageCounts;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.UnaryAnswer;
import io.strowger.spi.provider.UnaryCall;
import io.strowger.spi.provider.UnaryProvider;
import io.strowger.spi.provider.UpstreamException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The adapter for upstreams with the OpenAI images API: {@code POST images/generations}. The body
 * is passed on except for the model and the end user; the images are passed on byte for byte.
 * Embeddings fact sheet, {@code /images}.
 */
public final class OpenAiImages implements UnaryProvider {
  /** The members that provider options may not set. */
  private static final Set<String> RESERVED_MEMBERS =
      Set.of("model", "prompt", "n", "stream", "partial_images", "input_references", "user");

  private final UnaryUpstreamClient client;

  /**
   * @param transport the transport, which its owner closes after this adapter
   * @param memory the memory for answers, shared with other adapters
   */
  public OpenAiImages(Transport transport, ProviderSettings settings, AnswerMemory memory) {
    this.client = new UnaryUpstreamClient(transport, settings, memory, "images/generations");
  }

  @Override
  public UnaryAnswer answer(UnaryCall call) throws UpstreamException {
    return client.send(call, body(call), OpenAiImages::answer);
  }

  private static JsonOutput body(UnaryCall call) {
    Json.Obj members = call.request().members();
    Json.Obj body =
        UnaryUpstreamClient.withUser(
            members
                .with("model", Json.of(call.endpoint().upstreamModel()))
                .without("stream")
                .without("partial_images"),
            call.endUser());
    if (members.list("input_references") instanceof Json.Arr references && references.isEmpty()) {
      body = body.without("input_references");
    }
    body = OptionsMerger.merge(body, call.options(), RESERVED_MEMBERS, new Losses(call.losses()));
    JsonOutput out = JsonOutput.withByteReferences(1 << 10);
    body.writeTo(out);
    return out;
  }

  private static @Nullable UnaryAnswer answer(Json.Obj document, Runnable release) {
    return document.list("data") == null
        ? null
        : new UnaryAnswer(document, usage(document.object("usage")), release);
  }

  /** Returns the usage; null when the upstream reports no tokens, since a bill needs a count. */
  private static @Nullable Usage usage(Json.@Nullable Obj counts) {
    if (counts == null) {
      return null;
    }
    long input = UsageCounts.of(counts, "input_tokens");
    long output = UsageCounts.of(counts, "output_tokens");
    return input + output == 0
        ? null
        : Usage.builder().freshInput(input).outputText(output).build();
  }

  @Override
  public void close() {
    client.close();
  }
}
