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
  private static final Part SAMPLE_IMAGE =
      new Part.Image(Json.of("data:image/png;base64,"), Json.Obj.EMPTY, null);

  /**
   * Returns whether every named model accepts the files. A model that cannot serve the request even
   * without the files is ignored; if that holds for all models, this returns true, since reading
   * the files would cost money and change nothing.
   */
  boolean acceptFiles() {
    List<Message> withoutFiles = replaceFiles(null);
    return request.models().stream()
        .allMatch(model -> serves(model, request.messages()) || !serves(model, withoutFiles));
  }

  /** Returns whether every named model accepts images in place of the files. */
  boolean acceptImages() {
    List<Message> withImages = replaceFiles(SAMPLE_IMAGE);
    return !request.models().isEmpty()
        && request.models().stream().allMatch(model -> serves(model, withImages));
  }

  private boolean serves(ModelRef model, List<Message> messages) {
    return chain.canServe(request.toBuilder().models(List.of(model)).messages(messages).build());
  }

  private List<Message> replaceFiles(@Nullable Part replacement) {
    var messages = new ArrayList<Message>();
    for (Message message : request.messages()) {
      messages.add(message.withParts(replaceFiles(message.parts(), replacement)));
    }
    return List.copyOf(messages);
  }

  private static List<Part> replaceFiles(List<Part> parts, @Nullable Part replacement) {
    var newParts = new ArrayList<Part>();
    for (Part part : parts) {
      if (part instanceof Part.ToolResult result) {
        newParts.add(
            new Part.ToolResult(
                result.callId(),
                replaceFiles(result.content(), replacement),
                Message.ContentForm.LIST,
                result.isError(),
                result.extras(),
                null));
      } else if (!(part instanceof Part.File)) {
        newParts.add(part);
      } else if (replacement != null) {
        newParts.add(replacement);
      }
    }
    return List.copyOf(newParts);
  }
}
