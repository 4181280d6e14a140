package io.strowger.providers.transcription;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.simulated.UnaryLoopback;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.TranscriptionRequest;
import io.strowger.spi.model.UnaryRequest;
import io.strowger.spi.model.UploadedFile;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.UnaryProviderContract;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The adapter for transcriptions in the OpenAI form")
class OpenAiTranscriptionsContractTest extends UnaryProviderContract {
  @Override
  protected ProviderSetup connect(TestAmbient ambient) {
    return new UnaryLoopback(ambient, Endpoint.Kind.TRANSCRIPTIONS);
  }

  @Override
  protected UnaryRequest request() {
    Json.Obj members = Json.object().put("model", "acme/hear").put("language", "en").build();
    return new TranscriptionRequest(
        members,
        ModelRef.parse("acme/hear"),
        new UploadedFile(new byte[] {1, 2, 3, 4}, 1, 2, "mp3"),
        true,
        ProviderPreferences.NONE,
        null);
  }

  @Override
  protected void check(Json.Obj document) {
    assertThat(document.text("text")).isNotNull();
    assertThat(document.text("language")).isEqualTo("english");
  }
}
