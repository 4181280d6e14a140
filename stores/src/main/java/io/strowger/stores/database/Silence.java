package io.strowger.stores.database;

import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;

/**
 * What is said while tables are brought up to date: nothing. It would name the URL, which may carry
 * secrets; what goes wrong is thrown as well. Made by its name, hence public.
 */
public final class Silence implements LogCreator {
  @Override
  public Log createLogger(Class<?> named) {
    return new Nothing();
  }

  private record Nothing() implements Log {
    @Override
    public boolean isDebugEnabled() {
      return false;
    }

    @Override
    public void debug(String message) {}

    @Override
    public void info(String message) {}

    @Override
    public void warn(String message) {}

    @Override
    public void error(String message) {}

    @Override
    public void error(String message, Exception e) {}

    @Override
    public void notice(String message) {}
  }
}
