package io.strowger.host.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** Says which build this is. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {
      "strowger "
          + Objects.requireNonNullElse(version, "(not packaged)")
          + ", Java "
          + Runtime.version()
    };
  }
}
