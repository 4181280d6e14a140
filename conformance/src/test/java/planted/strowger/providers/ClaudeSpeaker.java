package planted.strowger.providers;

import planted.strowger.host.Wrapper;

/** An abstract class of a provider that knows its host, and a vendor. */
public abstract class ClaudeSpeaker {
  public String claudeVersion(Wrapper wrapper) {
    return wrapper.toString();
  }

  public abstract void speak();
}
