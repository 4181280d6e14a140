package io.strowger.benchmarks.http;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.time.Duration;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Reads the counters of another JVM on this machine: processor time, bytes allocated and the heap
 * in use. The JVM needs no option for that, except {@link #JVM_OPTION} if it uses Helidon. For one
 * thread.
 *
 * <p>The bytes allocated are those of {@code com.sun.management.ThreadMXBean}: the sum over all
 * Java threads, living and ended. The allocations of a virtual thread are counted for its carrier,
 * which is one of them. Reading the counters costs that JVM some hundred kilobytes and a
 * millisecond each time, so they are read around thousands of requests, never around one.
 */
public final class JvmCounters implements AutoCloseable {
  /**
   * An option for a JVM whose counters are read: without the option, Helidon refuses all serialised
   * objects.
   */
  public static final String JVM_OPTION = "-Dhelidon.serialFilter.missing.action=ignore";

  private final JMXConnector connector;
  private final MBeanServerConnection beans;

  private JvmCounters(JMXConnector connector) throws IOException {
    this.connector = connector;
    this.beans = connector.getMBeanServerConnection();
  }

  /**
   * Connects to a JVM of the same user.
   *
   * @throws IOException when the JVM has ended or refuses the connection
   */
  @SuppressWarnings("BanJNDI") // the process was started by the benchmark
  public static JvmCounters attach(long pid) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        String address = machine.startLocalManagementAgent();
        return new JvmCounters(JMXConnectorFactory.connect(new JMXServiceURL(address)));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException("the counters of process " + pid + " cannot be read", e);
    }
  }

  /** Returns what the JVM has used since its start. */
  public ProcessUsage usage() {
    long cpu = (Long) attribute("OperatingSystem", "ProcessCpuTime");
    long allocated = (Long) attribute("Threading", "TotalThreadAllocatedBytes");
    return new ProcessUsage(Duration.ofNanos(cpu), allocated);
  }

  /** Returns the used heap in bytes after a garbage collection. */
  public long liveHeap() {
    try {
      beans.invoke(bean("Memory"), "gc", null, null);
    } catch (IOException | JMException e) {
      throw new IllegalStateException("the counters of a process cannot be read", e);
    }
    return (Long) ((CompositeData) attribute("Memory", "HeapMemoryUsage")).get("used");
  }

  /** Returns the number of classes that are loaded, including those for reading counters. */
  public int loadedClasses() {
    return (Integer) attribute("ClassLoading", "LoadedClassCount");
  }

  private Object attribute(String bean, String name) {
    try {
      return beans.getAttribute(bean(bean), name);
    } catch (IOException | JMException e) {
      throw new IllegalStateException("the counters of a process cannot be read", e);
    }
  }

  private static ObjectName bean(String type) throws JMException {
    return new ObjectName("java.lang:type=" + type);
  }

  @Override
  public void close() {
    try {
      connector.close();
    } catch (IOException gone) {
      // the process has ended
    }
  }
}
