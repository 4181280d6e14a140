package io.strowger.core.upstream;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.unary.ImagesDecoder;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.ImagesRequest;
import io.strowger.spi.model.UploadedFile;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.UnaryAnswer;
import io.strowger.spi.provider.UpstreamException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks images. At least one must be base64 or have an address, and no more than requested are
 * passed on. Unusable and surplus images are left out and not charged. Embeddings fact sheet,
 * {@code /images}; resources fact sheet, section 13.
 */
final class ImagesCodec implements UnaryCodec<ImagesRequest> {
  private static final List<String> PASSED_MEMBERS =
      List.of("created", "background", "output_format", "quality", "size", "usage");

  /** Bytes of an image that an estimate counts as one token. */
  private static final int BYTES_PER_TOKEN = 1 << 10;

  private final ImagesDecoder decoder = new ImagesDecoder();

  @Override
  public @Nullable ImagesRequest decode(
      Json.Obj members, @Nullable UploadedFile upload, Problems problems) {
    return decoder.decode(members, problems);
  }

  @Override
  public CheckedAnswer check(UnaryAnswer answer, ImagesRequest request, Pricing pricing)
      throws UpstreamException {
    Json.Obj source = answer.document();
    Json.Arr data = Objects.requireNonNullElse(source.list("data"), Json.array());
    var images = new ArrayList<Json>();
    long bytes = 0;
    for (int i = 0; i < data.size() && images.size() < request.count(); i++) {
      if (data.get(i) instanceof Json.Obj image && isUsable(image)) {
        images.add(image);
        bytes += image.writtenLength();
      }
    }
    if (images.isEmpty()) {
      throw UnaryCodec.protocolFailure("an answer without an image");
    }
    Json.Obj.Builder document = Json.object();
    UnaryCodec.copy(PASSED_MEMBERS, source, document);
    document.put("data", Json.array(images));
    return new CheckedAnswer(
        document.build(), usage(answer.usage(), images.size(), bytes, pricing));
  }

  /** Counts the images; estimates their tokens where only tokens have a price. */
  private static Usage usage(@Nullable Usage reported, int images, long bytes, Pricing pricing) {
    Usage usage =
        Objects.requireNonNullElse(reported, Usage.NONE).toBuilder().images(images).build();
    boolean isPricedByTokens =
        pricing.picos(Price.IMAGE) == 0 && pricing.picos(Price.COMPLETION) > 0;
    return isPricedByTokens
        ? usage.withMinimumOutput(usage.completionTokens() > 0 ? 0 : tokens(bytes))
        : usage;
  }

  private static long tokens(long bytes) {
    return Math.max(1, bytes / BYTES_PER_TOKEN);
  }

  private static boolean isUsable(Json.Obj image) {
    return image.get("b64_json") instanceof Json.Str base64
        ? isBase64(base64.text())
        : image.get("url") instanceof Json.Str url && !url.isEmpty();
  }

  /** Checks each character without decoding, because images are large. */
  private static boolean isBase64(String text) {
    int length = text.length();
    int end = length;
    while (end > 0 && length - end < 2 && text.charAt(end - 1) == '=') {
      end--;
    }
    for (int i = 0; i < end; i++) {
      if (!isBase64Char(text.charAt(i))) {
        return false;
      }
    }
    return end > 1 && end % 4 != 1 && (end == length || length % 4 == 0);
  }

  private static boolean isBase64Char(char c) {
    return c >= 'A' && c <= 'Z'
        || c >= 'a' && c <= 'z'
        || c >= '0' && c <= '9'
        || c == '+'
        || c == '/';
  }
}
