package io.strowger.plugins.fileparser;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.routing.ModelRef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Determines whether the models of a request accept files or images. The engine resolves model
 * names, which may be aliases or routers, and applies the endpoint rules: each name is tested by
 * asking whether any endpoint can serve the request with it.
 */
record FileModels(InferenceRequest request, Interceptor.Chain chain) {
  private static final Part PICTURE =
      new Part.Image(Json.of("data:image/png;base64,"), Json.Obj.EMPTY, null);

  /**
   * Returns whether every named model accepts the files. A model that cannot serve the request even
   * without the files is ignored; if that holds for all models, this returns true, since reading
   * the files would cost money and change nothing.
   */
  boolean takeFiles() {
    List<Message> without = replaced(null);
    return request.models().stream()
        .allMatch(named -> serves(named, request.messages()) || !serves(named, without));
  }

  /** Returns whether every named model accepts images in place of the files. */
  boolean takeImages() {
    List<Message> pictured = replaced(PICTURE);
    return !request.models().isEmpty()
        && request.models().stream().allMatch(named -> serves(named, pictured));
  }

  private boolean serves(ModelRef named, List<Message> messages) {
    return chain.canServe(request.toBuilder().models(List.of(named)).messages(messages).build());
  }

  private List<Message> replaced(@Nullable Part by) {
    var messages = new ArrayList<Message>();
    for (Message message : request.messages()) {
      messages.add(message.withParts(replaced(message.parts(), by)));
    }
    return List.copyOf(messages);
  }

  private static List<Part> replaced(List<Part> parts, @Nullable Part by) {
    var replaced = new ArrayList<Part>();
    for (Part part : parts) {
      if (part instanceof Part.ToolResult result) {
        replaced.add(
            new Part.ToolResult(
                result.callId(),
                replaced(result.content(), by),
                Message.Content.LIST,
                result.error(),
                result.extras(),
                null));
      } else if (!(part instanceof Part.File)) {
        replaced.add(part);
      } else if (by != null) {
        replaced.add(by);
      }
    }
    return List.copyOf(replaced);
  }
}
