package io.leasehold.sample;

import io.leasehold.web.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Refuses changes while the sample's disk is nearly full: a full disk ends the database's server,
 * and it can not start again while the disk is full.
 */
@Component
@Profile("sample")
class DiskGuard implements WebMvcConfigurer, HandlerInterceptor {

  static final long LEAST_FREE = 256L << 20;
  private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");

  private final Path directory;
  private final LongSupplier free;

  @Autowired
  DiskGuard(SampleProperties properties) {
    this(
        properties.directory(),
        () -> properties.directory().toAbsolutePath().toFile().getUsableSpace());
  }

  /**
   * @param free bytes that can still be written
   */
  DiskGuard(Path directory, LongSupplier free) {
    this.directory = directory;
    this.free = free;
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(this);
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (!READS.contains(request.getMethod()) && free.getAsLong() < LEAST_FREE) {
      throw Problem.of(
              503,
              "disk-nearly-full",
              "Disk nearly full",
              "Less than 256 MiB are free on the disk of %s; nothing is changed until there is room."
                  .formatted(directory))
          .retryable(60);
    }
    return true;
  }
}
