package io.strowger.providers.speech;

import io.strowger.providers.gemini.GeminiFactory;
import io.strowger.tck.SpeechProviderContract;
import io.strowger.tck.TestAmbient;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The adapter for speech in the Gemini dialect")
class GeminiSpeechContractTest extends SpeechProviderContract {
  @Override
  protected ProviderSetup connect(TestAmbient ambient) {
    return new SpeechLoopback(ambient, GeminiFactory::new, "pcm");
  }
}
