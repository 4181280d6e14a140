package acme.dated;

import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.EventStream;
import io.strowger.tck.Given;
import io.strowger.tck.InterceptorContract;
import org.assertj.core.util.DateUtil;

/** Contract tests, as nested classes, of an interceptor whose library reads the clock. */
public final class DatedInterceptors {
  /** Does not declare that the library uses clocks. */
  public class UndeclaredContract extends InterceptorContract {
    @Override
    protected Interceptor interceptor() {
      return new DateReadingInterceptor();
    }

    @Override
    protected InferenceRequest actingRequest() {
      return Given.streaming("acme/one", "act");
    }

    @Override
    protected InferenceRequest passingRequest() {
      return Given.streaming("acme/one", "pass");
    }
  }

  /** Declares that libraries use clocks, which does not affect results. */
  public final class DeclaredContract extends UndeclaredContract {
    @Override
    protected boolean librariesUseClocks() {
      return true;
    }
  }

  private static final class DateReadingInterceptor implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      if (DateUtil.now().getTime() < 0) {
        chain.note("before the beginning of time");
      }
      return chain.proceed(request);
    }
  }
}
