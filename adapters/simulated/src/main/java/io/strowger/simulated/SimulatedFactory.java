package io.strowger.simulated;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EmbeddingsProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.SpeechProvider;
import io.strowger.spi.provider.UnaryProvider;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Creates simulated models: protocol {@code simulated}. Without scripts they answer with words that
 * depend on the model and the question and on nothing else, so the same request gets the same
 * answer.
 */
public final class SimulatedFactory implements ProviderFactory {
  private static final int BYTES_PER_TOKEN = 4;
  private static final int MAX_WORDS = 24;

  private final Function<Call, Script> scripts;

  public SimulatedFactory() {
    this(SimulatedFactory::generatedScript);
  }

  /**
   * @param scripts returns the script for a call; called on the call's thread
   */
  public SimulatedFactory(Function<Call, Script> scripts) {
    this.scripts = Objects.requireNonNull(scripts, "scripts");
  }

  @Override
  public String protocol() {
    return "simulated";
  }

  @Override
  public ChatProvider create(ProviderSettings settings) {
    return new SimulatedProvider(settings, scripts);
  }

  @Override
  public EmbeddingsProvider createEmbeddings(ProviderSettings settings) {
    return new SimulatedEmbeddings();
  }

  @Override
  public SpeechProvider createSpeech(ProviderSettings settings) {
    return new SimulatedSpeech();
  }

  @Override
  public @Nullable UnaryProvider createUnary(ProviderSettings settings, Endpoint.Kind kind) {
    return switch (kind) {
      case RERANK -> new SimulatedRerank();
      case IMAGES -> new SimulatedImages();
      case TRANSCRIPTIONS -> new SimulatedTranscriptions();
      case CHAT, EMBEDDINGS, SPEECH -> null;
    };
  }

  private static Script generatedScript(Call call) {
    long seed = call.endpoint().upstreamModel().hashCode();
    long bytes = 0;
    for (Message message : call.request().messages()) {
      for (Part part : message.parts()) {
        if (part instanceof Part.Text text) {
          seed = seed * 31 + text.text().text().hashCode();
          bytes += text.text().utf8Bound();
        }
      }
    }
    int limit = call.outputCap() > 0 ? call.outputCap() : call.request().maxOutputTokens();
    boolean truncated = limit > 0 && limit < MAX_WORDS;
    int words = truncated ? limit : MAX_WORDS;
    int prompt = Math.clamp(bytes / BYTES_PER_TOKEN, 1, Integer.MAX_VALUE);
    return Script.builder()
        .text(Words.text(seed, words))
        .chunks(words)
        .tokens(prompt, words)
        .finishReason(truncated ? "length" : "stop")
        .build();
  }

  /** Returns the request as JSON, for callers that ask to see what is sent upstream. */
  static Json bodyOf(Call call) {
    var messages = call.request().messages().stream().map(SimulatedFactory::messageJson).toList();
    return Json.object()
        .put("model", call.endpoint().upstreamModel())
        .put("messages", Json.array(messages))
        .put("stream", call.request().streaming())
        .build();
  }

  private static Json messageJson(Message message) {
    var text = new StringBuilder();
    for (Part part : message.parts()) {
      if (part instanceof Part.Text textPart) {
        text.append(textPart.text().text());
      }
    }
    return Json.object()
        .put("role", message.role().wireName())
        .put("content", text.toString())
        .build();
  }
}
