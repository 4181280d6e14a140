package io.strowger.core.meter;

import io.strowger.spi.catalog.Modality;
import io.strowger.spi.json.Json;

/**
 * How large a request for pictures can be at most, counted as {@link PromptSize} counts a prompt,
 * and how many pictures it can give. Embeddings fact sheet, {@code /images}.
 */
final class ImagesSize {
  private ImagesSize() {}

  /**
   * Returns the size of a request.
   *
   * @param members of a body that is good
   */
  static PromptSize of(Json.Obj members) {
    long bytes = members.get("prompt") instanceof Json.Str prompt ? prompt.utf8Bound() : 0;
    Json.Arr references = members.list("input_references");
    long images = references == null ? 0 : references.size();
    int modalities = Modality.TEXT.bit() | (images > 0 ? Modality.IMAGE.bit() : 0);
    return new PromptSize(
        PromptSize.PER_MESSAGE + bytes + images * PromptSize.PER_IMAGE,
        bytes,
        modalities,
        0,
        members.whole("n", 1),
        bytes);
  }
}
