package io.strowger.core.decode.batch;

import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.chat.ChatDecoder;
import io.strowger.core.decode.embeddings.EmbeddingsDecoder;
import io.strowger.core.decode.messages.MessagesDecoder;
import io.strowger.core.decode.responses.ResponsesDecoder;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;

/**
 * Judges the bodies of an accepted batch as completely as if each had come alone. The work of the
 * state {@code validating}: a single problem fails the whole batch. Contract: "Batch operations";
 * resources fact sheet, 6. Immutable, safe on any thread.
 */
public final class BatchItems {
  private final ChatDecoder chat;
  private final MessagesDecoder messages;
  private final ResponsesDecoder responses;
  private final EmbeddingsDecoder embeddings = new EmbeddingsDecoder();

  /**
   * @param plugins judges the plugin entries of the bodies
   */
  public BatchItems(PluginChecks plugins) {
    chat = new ChatDecoder(plugins);
    messages = new MessagesDecoder(plugins);
    responses = new ResponsesDecoder(plugins);
  }

  /**
   * Judges every body, with the model of the batch in it.
   *
   * @param problems takes what is wrong, at {@code /requests/i/body/...}
   */
  public void check(BatchCreate batch, Problems problems) {
    JsonPointer requests = JsonPointer.ROOT.child("requests");
    Json.Str model = Json.of(batch.model().toString());
    for (int i = 0; i < batch.requests().size(); i++) {
      var inBody = new Problems();
      decode(batch.endpoint(), batch.requests().get(i).body().with("model", model), inBody);
      problems.addAll(requests.child(i).child("body"), inBody);
    }
  }

  private void decode(BatchEndpoint endpoint, Json.Obj body, Problems problems) {
    switch (endpoint) {
      case CHAT -> chat.decode(body, problems);
      case MESSAGES -> messages.decode(body, problems);
      case RESPONSES -> responses.decode(body, problems);
      case EMBEDDINGS -> embeddings.decode(body, problems);
    }
  }
}
